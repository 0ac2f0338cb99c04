#include "core/opening_names.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/notation.hpp"
#include "core/text.hpp"

// opening_names.txt, embedded by the build.
extern "C" {
extern const unsigned char parley_opening_names[];
extern const std::uint64_t parley_opening_names_size;
}

namespace core {

namespace {

using Openings = std::unordered_map<Key, Opening>;

std::string_view embedded_text() {
    return {reinterpret_cast<const char*>(parley_opening_names),
            static_cast<std::size_t>(parley_opening_names_size)};
}

/// Removes and returns the text before the next separator.
std::string_view take_until(std::string_view& text, char separator) {
    const auto end = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

/// Reads the lines in their order: each tells only in what it differs from the one before. The
/// format stands at the top of the file.
class Reader {
public:
    void add_line(std::string_view line, Openings& openings) {
        keep(positions_, 1, take_until(line, '\t'));
        Words moves{take_until(line, '\t')};
        while (const auto word = moves.next()) {
            const auto move = read_move(positions_.back(), *word);
            assert(move);
            positions_.push_back(positions_.back().after(*move));
        }
        const auto eco = take_until(line, '\t');
        keep(name_, 0, take_until(line, '\t'));
        name_ += line;
        openings.try_emplace(positions_.back().key(), Opening{std::string{eco}, name_});
    }

private:
    /// Shortens what is known of the last line to as much as the next one has in common with it.
    template <typename Sequence>
    static void keep(Sequence& last, std::size_t always, std::string_view number) {
        const auto shared = read_integer(number);
        assert(shared && always + static_cast<std::size_t>(*shared) <= last.size());
        last.erase(last.begin() + static_cast<std::ptrdiff_t>(always) + *shared, last.end());
    }

    std::vector<Position> positions_{Position::start()};
    std::string name_;
};

Openings read_openings() {
    Openings openings;
    Reader reader;
    for (auto text = embedded_text(); !text.empty();) {
        const auto line = take_until(text, '\n');
        if (!line.starts_with('#'))
            reader.add_line(line, openings);
    }
    return openings;
}

const Openings& all_openings() {
    static const Openings openings = read_openings();
    return openings;
}

}  // namespace

std::optional<Opening> opening_of(const Game& game) {
    const auto& openings = all_openings();
    const auto keys = game.keys();
    const auto known =
        std::find_if(keys.rbegin(), keys.rend(), [&](Key key) { return openings.contains(key); });
    if (known == keys.rend())
        return std::nullopt;
    return openings.at(*known);
}

std::size_t number_of_openings() {
    return all_openings().size();
}

}  // namespace core
