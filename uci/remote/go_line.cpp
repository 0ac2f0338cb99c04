#include "uci/remote/go_line.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace uci::remote {

namespace {

using Milliseconds = GoLine::Milliseconds;

constexpr std::array<std::string_view, 12> go_words{
    "searchmoves", "ponder", "wtime", "btime", "winc",     "binc",
    "movestogo",   "depth",  "nodes", "mate",  "movetime", "infinite"};
constexpr std::array<std::string_view, 6> limit_words{"wtime", "btime", "depth",
                                                      "nodes", "mate",  "movetime"};

bool is_go_word(std::string_view word) {
    return std::find(go_words.begin(), go_words.end(), word) != go_words.end();
}

/// A whole number, perhaps with a fraction, which some clients write.
std::optional<Milliseconds> read_amount(std::string_view text) {
    const auto number = core::read_integer(text.substr(0, text.find('.')));
    return number ? std::optional{Milliseconds{*number}} : std::nullopt;
}

}  // namespace

GoLine::GoLine(std::string_view line) {
    core::Words words{line};
    while (const auto word = words.next())
        words_.emplace_back(*word);
}

bool GoLine::has(std::string_view word) const {
    return std::find(words_.begin(), words_.end(), word) != words_.end();
}

std::optional<Milliseconds> GoLine::amount(std::string_view word) const {
    const auto found = std::find(words_.begin(), words_.end(), word);
    return found == words_.end() || found + 1 == words_.end() ? std::nullopt
                                                              : read_amount(*(found + 1));
}

bool GoLine::is_endless() const {
    return has("infinite")
        || std::none_of(limit_words.begin(), limit_words.end(),
                        [this](auto limit) { return amount(limit).has_value(); });
}

std::vector<std::string> GoLine::searchmoves() const {
    std::vector<std::string> moves;
    auto word = std::find(words_.begin(), words_.end(), "searchmoves");
    if (word != words_.end())
        ++word;
    for (; word != words_.end() && !is_go_word(*word); ++word)
        moves.push_back(*word);
    return moves;
}

/// Some clients send only one clock; it counts for both sides, as in the engine.
std::optional<Milliseconds> GoLine::clock(core::Color side) const {
    const bool is_white = side == core::Color::white;
    const auto own = amount(is_white ? "wtime" : "btime");
    return own ? own : amount(is_white ? "btime" : "wtime");
}

void GoLine::end_pondering() {
    words_.erase(std::remove(words_.begin(), words_.end(), "ponder"), words_.end());
}

std::string GoLine::text(core::Color side, Milliseconds used, Milliseconds lag) const {
    const bool is_white = side == core::Color::white;
    const bool has_own = amount(is_white ? "wtime" : "btime").has_value();
    const std::string_view own = is_white == has_own ? "wtime" : "btime";
    std::string line;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        auto word = words_[i];
        const auto limit = i == 0 ? std::string_view{} : std::string_view{words_[i - 1]};
        const auto time = read_amount(word);
        constexpr Milliseconds least{1};
        if (time && limit == own)
            word = std::to_string(std::max(least, *time - used).count());
        else if (time && limit == "movetime")
            // The lag must not take more than half of a short time.
            word =
                std::to_string(std::max({least, (*time - used) / 2, *time - used - lag}).count());
        line.append(line.empty() ? "" : " ").append(word);
    }
    return line;
}

}  // namespace uci::remote
