#pragma once

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

inline void read_operation(Problem& problem, core::Words operation) {
    const auto code = operation.next().value_or("");
    if (code == "id") {
        problem.name = operation.rest();
    }
    else if (code == "bm") {
        while (const auto move = operation.next())
            problem.best_moves.push_back(move_of(position_of(problem.fen), *move));
    }
    else {
        const auto number = core::read_integer(operation.next().value_or(""));
        REQUIRE(number);
        if (code == "acn")
            problem.nodes = static_cast<std::uint64_t>(*number);
        else if (code == "dm")
            problem.mate = static_cast<int>(*number);
        else if (code == "ce")
            problem.score = static_cast<int>(*number);
        else
            FAIL("unknown operation " << code);
    }
}

inline Problem read_problem(std::string_view line) {
    Problem problem;
    core::Words words{line};
    for (int field = 0; field < 4; ++field)
        problem.fen += std::string{words.next().value_or("")} + " ";
    problem.fen += "0 1";
    std::string_view rest = words.rest();
    while (!core::Words{rest}.empty()) {
        const auto end = std::min(rest.find(';'), rest.size());
        read_operation(problem, core::Words{rest.substr(0, end)});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
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
