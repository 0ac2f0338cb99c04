#pragma once

#include <random>
#include <vector>

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"

namespace tests {

/// Chance that is the same on every system and in every run.
class Dice {
public:
    explicit Dice(unsigned seed) : engine_{seed} {}

    /// A number from 0 to sides - 1.
    std::size_t roll(std::size_t sides) { return engine_() % sides; }
    int between(int lowest, int highest) {
        return lowest + static_cast<int>(roll(static_cast<std::size_t>(highest - lowest + 1)));
    }
    bool one_in(std::size_t sides) { return roll(sides) == 0; }
    core::Move pick(const core::MoveList& moves) { return moves[roll(moves.size())]; }

private:
    std::mt19937 engine_;
};

/// So many positions from games of random moves that begin in the varied positions.
inline std::vector<core::Position> random_positions(std::size_t count, unsigned seed) {
    constexpr int max_game_plies = 40;
    Dice dice{seed};
    std::vector<core::Position> result;
    while (result.size() < count) {
        auto position = position_of(varied_positions[dice.roll(varied_positions.size())]);
        for (int ply = 0; ply < max_game_plies && result.size() < count; ++ply) {
            result.push_back(position);
            const auto moves = core::legal_moves(position);
            if (moves.empty())
                break;
            position = position.after(dice.pick(moves));
        }
    }
    return result;
}

}  // namespace tests
