#pragma once

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/epd.hpp"
#include "core/fen.hpp"
#include "core/text.hpp"

#include "tests/core/positions.hpp"

namespace tests {

/// A position with a question, and the answer that a player of sense gives to it. A line of a suite
/// is a FEN of four fields with operations as in Extended Position Description.
struct Problem {
    std::string fen;
    std::string name;
    std::uint64_t nodes = 0;             ///< acn: with so many nodes it must be solved
    std::vector<core::Move> best_moves;  ///< bm
    std::optional<int> mate;             ///< dm: mate in so many moves
    std::optional<int> score;            ///< ce: worth so many centipawns

    bool is_solved_by(core::Move move) const {
        return best_moves.empty()
            || std::find(best_moves.begin(), best_moves.end(), move) != best_moves.end();
    }
};

inline void read_operation(Problem& problem,
                           const core::Position& position,
                           const core::EpdOperation& operation) {
    if (operation.opcode == "id") {
        problem.name = operation.operands;
        return;
    }
    if (operation.opcode == "bm") {
        core::Words moves{operation.operands};
        while (const auto move = moves.next())
            problem.best_moves.push_back(move_of(position, *move));
        return;
    }
    const auto number = core::read_integer(operation.operands);
    REQUIRE(number);
    if (operation.opcode == "acn")
        problem.nodes = static_cast<std::uint64_t>(*number);
    else if (operation.opcode == "dm")
        problem.mate = static_cast<int>(*number);
    else if (operation.opcode == "ce")
        problem.score = static_cast<int>(*number);
    else
        FAIL("unknown operation " << operation.opcode);
}

inline Problem read_problem(std::string_view line) {
    const auto epd = core::read_epd(line);
    REQUIRE(epd);
    Problem problem;
    problem.fen = core::fen(epd->position);
    for (const auto& operation : epd->operations)
        read_operation(problem, epd->position, operation);
    REQUIRE(problem.nodes > 0);
    return problem;
}

/// The problems of a file; lines that begin with # are comments.
inline std::vector<Problem> read_problems(const std::string& path) {
    std::ifstream file{path};
    std::vector<Problem> problems;
    for (std::string line; std::getline(file, line);) {
        CAPTURE(line);
        if (!core::Words{line}.empty() && line.front() != '#')
            problems.push_back(read_problem(line));
    }
    REQUIRE_FALSE(problems.empty());
    return problems;
}

}  // namespace tests
