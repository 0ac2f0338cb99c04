#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/epd.hpp"
#include "core/result.hpp"
#include "core/text.hpp"

// Inline, because the tests read suites too and do not link the program.
namespace tools::perft {

/// The number of leaves at a depth.
struct KnownCount {
    int depth = 0;
    std::uint64_t leaves = 0;
};

/// A position with its known counts.
struct KnownPosition {
    std::string fen;
    core::Position position = core::Position::start();
    std::vector<KnownCount> counts;
};

/// A count as a suite writes it: "D3 8902".
inline core::Result<KnownCount> read_known_count(const core::EpdOperation& operation) {
    const std::string_view opcode{operation.opcode};
    const auto depth = core::read_integer(opcode.substr(1));
    const auto leaves = core::read_integer(operation.operands);
    if (opcode.front() != 'D' || !depth || *depth < 1 || *depth > 50 || !leaves || *leaves < 0)
        return core::Error{"'" + core::printable(opcode) + " " + core::printable(operation.operands)
                           + "' is not a count; a count looks like D3 8902"};
    return KnownCount{static_cast<int>(*depth), static_cast<std::uint64_t>(*leaves)};
}

/// Parses a line of a suite: "FEN ;D1 20 ;D2 400".
inline core::Result<KnownPosition> read_known_position(std::string_view line) {
    const auto epd = core::read_epd(line);
    if (!epd)
        return epd.error();
    KnownPosition known{epd->fen, epd->position, {}};
    for (const auto& operation : epd->operations) {
        const auto count = read_known_count(operation);
        if (!count)
            return count.error();
        known.counts.push_back(*count);
    }
    return known;
}

/// Reads a suite, which has at least one position. Lines that start with # are comments. Error: the
/// line at fault and why.
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
        return core::Error{path + " has no positions"};
    return suite;
}

}  // namespace tools::perft
