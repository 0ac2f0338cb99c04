// Makes core/opening_names.txt from the files a.tsv to e.tsv of lichess-org/chess-openings (CC0).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/notation.hpp"
#include "core/pgn.hpp"
#include "core/result.hpp"

namespace tools::openings {

namespace {

constexpr const char* header =
    "# The names of openings: facts from https://github.com/lichess-org/chess-openings, which is\n"
    "# dedicated to the public domain (CC0 1.0). Made by tools/openings: do not edit.\n"
    "# In each line, separated by tabs: how many moves it has in common with the line before, the\n"
    "# other moves, the ECO code, how many bytes of the name are the same, the rest of the name.\n";

struct Line {
    std::vector<std::string> moves;
    std::string eco;
    std::string name;
};

core::Result<std::vector<Line>> read_file(const std::filesystem::path& path,
                                          std::unordered_set<core::Key>& known) {
    std::ifstream file{path};
    std::string text;
    if (!std::getline(file, text) || text != "eco\tname\tpgn")
        return core::Error{path.string() + " is not a table of openings"};
    std::vector<Line> lines;
    while (std::getline(file, text)) {
        const auto first = text.find('\t');
        const auto second = text.rfind('\t');
        const auto pgn = core::read_pgn(std::string_view{text}.substr(second + 1));
        if (first == second)
            return core::Error{path.string() + ": expected three columns: " + text};
        if (!pgn)
            return core::Error{path.string() + ": " + pgn.reason() + ": " + text};
        if (!known.insert(pgn->game.position().key()).second)
            continue;
        Line line{{}, text.substr(0, first), text.substr(first + 1, second - first - 1)};
        for (const auto move : pgn->game.moves())
            line.moves.push_back(core::to_uci(move, core::CastlingStyle::king_moves_two));
        lines.push_back(std::move(line));
    }
    return lines;
}

template <typename Sequence>
std::size_t common(const Sequence& one, const Sequence& other) {
    const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
    return static_cast<std::size_t>(end - one.begin());
}

/// As common(), but never ends within a letter of UTF-8.
std::size_t common_letters(const std::string& one, const std::string& other) {
    auto length = common(one, other);
    while (length > 0 && length < one.size()
           && (static_cast<unsigned char>(one[length]) & 0xC0U) == 0x80U)
        --length;
    return length;
}

void print(const std::vector<Line>& lines) {
    fmt::print("{}", header);
    Line last;
    for (const auto& line : lines) {
        const auto moves = common(line.moves, last.moves);
        const auto letters = common_letters(line.name, last.name);
        fmt::print("{}\t{}\t{}\t{}\t{}\n", moves,
                   fmt::join(line.moves.begin() + static_cast<std::ptrdiff_t>(moves),
                             line.moves.end(), " "),
                   line.eco, letters, std::string_view{line.name}.substr(letters));
        last = line;
    }
}

}  // namespace

}  // namespace tools::openings

int main(int argument_count, char** arguments) {
    if (argument_count != 2) {
        fmt::print(stderr, "usage: openings FOLDER > core/opening_names.txt\n");
        return 2;
    }
    std::vector<tools::openings::Line> lines;
    std::unordered_set<core::Key> known;
    for (const char volume : {'a', 'b', 'c', 'd', 'e'}) {
        const auto path = std::filesystem::path{arguments[1]} / fmt::format("{}.tsv", volume);
        const auto part = tools::openings::read_file(path, known);
        if (!part) {
            fmt::print(stderr, "openings: {}\n", part.reason());
            return 1;
        }
        lines.insert(lines.end(), part->begin(), part->end());
    }
    std::sort(lines.begin(), lines.end(),
              [](const auto& one, const auto& other) { return one.moves < other.moves; });
    tools::openings::print(lines);
    return 0;
}
