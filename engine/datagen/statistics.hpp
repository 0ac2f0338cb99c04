#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "core/result.hpp"

#include "engine/datagen/game_record.hpp"

namespace engine::datagen {

/// Counts over a collection of games. A ply is a position with a move and a score.
struct GameStatistics {
    std::uint64_t games = 0;
    std::uint64_t sidelines = 0;             ///< their plies count below, they are no games
    std::array<std::uint64_t, 3> results{};  ///< Black won, drawn, White won
    std::uint64_t chess960_games = 0;        ///< from starts of Chess960
    std::uint64_t plies = 0;
    std::uint64_t plies_of_games = 0;  ///< without those of sidelines
    std::uint64_t training_positions = 0;
    std::uint64_t in_check = 0;
    std::uint64_t noisy = 0;    ///< not in check, the best move a capture or a promotion
    std::uint64_t opening = 0;  ///< quiet, but too near to the random moves
    std::uint64_t decisive = 0;
    std::uint64_t pieces = 0;              ///< on the board, summed over all plies
    std::uint64_t absolute_score = 0;      ///< centipawns, summed over the plies that are not mate
    std::array<std::uint64_t, 8> sizes{};  ///< plies with up to 4, 8, 12 ... 32 pieces
    std::size_t shortest = 0;              ///< plies of the shortest game and of the longest
    std::size_t longest = 0;

    void add(const GameRecord& game);
};

/// Adds the games of a file and gives their number. Error: the file cannot be read, does not match
/// its checksum, or a game breaks the rules; the games before it are counted.
core::Result<std::uint64_t> add_file(GameStatistics& statistics, const std::filesystem::path& path);

}  // namespace engine::datagen
