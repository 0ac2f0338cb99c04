#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fen.hpp"
#include "core/result.hpp"
#include "core/text.hpp"

// Inline, because the tests read the same files without linking the program.
namespace tools::perft {

/// How many leaves there are at a depth.
struct KnownCount {
    int depth = 0;
    std::uint64_t leaves = 0;
};

/// A line of a suite: a position and the counts that are known of it.
struct KnownPosition {
    std::string fen;
    core::Position position = core::Position::start();
    std::vector<KnownCount> counts;
};

/// One count as a suite has it: "D3 8902".
inline core::Result<KnownCount> read_known_count(std::string_view text) {
    core::Words words{text};
    const auto depth = words.next().value_or("");
    const auto leaves = core::read_integer(words.next().value_or(""));
    const auto number = core::read_integer(depth.substr(std::min<std::size_t>(1, depth.size())));
    if (depth.substr(0, 1) != "D" || !number || *number < 1 || *number > 50 || !leaves
        || *leaves < 0 || !words.empty())
        return core::Error{"'" + core::printable(text)
                           + "' is no count, a count looks like D3 8902"};
    return KnownCount{static_cast<int>(*number), static_cast<std::uint64_t>(*leaves)};
}

/// One line of a suite: "FEN ;D1 20 ;D2 400".
inline core::Result<KnownPosition> read_known_position(std::string_view line) {
    const auto end = line.find(';');
    KnownPosition known;
    known.fen = core::Words{line.substr(0, end)}.rest();
    const auto position = core::read_fen(known.fen);
    if (!position)
        return position.error();
    known.position = *position;
    auto rest = end == std::string_view::npos ? "" : line.substr(end + 1);
    while (!core::Words{rest}.empty()) {
        const auto next = std::min(rest.find(';'), rest.size());
        const auto count = read_known_count(rest.substr(0, next));
        if (!count)
            return count.error();
        known.counts.push_back(*count);
        rest.remove_prefix(std::min(next + 1, rest.size()));
    }
    return known;
}

/// The positions of a suite, at least one, or the line at fault. Lines that start with # are comments.
inline core::Result<std::vector<KnownPosition>> read_suite(const std::string& path) {
    std::ifstream file{path};
    if (!file)
        return core::Error{path + " cannot be read"};
    std::vector<KnownPosition> suite;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (core::Words{line}.empty() || line.front() == '#')
            continue;
        auto known = read_known_position(line);
        if (!known)
            return core::Error{path + ":" + std::to_string(number) + ": " + known.reason()};
        suite.push_back(std::move(*known));
    }
    if (suite.empty())
        return core::Error{path + " holds no position"};
    return suite;
}

}  // namespace tools::perft
