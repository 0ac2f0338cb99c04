#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/result.hpp"

#include "engine/datagen/self_play.hpp"

namespace engine {

/// What to generate, and where to.
struct GenerationOrder {
    SelfPlayRules rules;
    std::filesystem::path folder;
    std::uint64_t games = 0;  ///< in all, those of earlier runs included; 0: until stopped
    std::uint64_t games_per_file = 1'000;
    int threads = 1;
};

/// How far generation has come.
struct GenerationProgress {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t usable = 0;         ///< positions that teach something, as is_usable() has it
    std::uint64_t earlier_games = 0;  ///< found in the folder, not counted above
};

/// The file of a number; it holds the games from number * games_per_file on.
std::filesystem::path game_file(const std::filesystem::path& folder, std::uint64_t number);

/// Plays games in all threads and appends them to the files of the folder, whole games only,
/// going on where an earlier run with the same rules has stopped. Asks several times a second
/// whether to continue, with the progress. The folder's rules.txt says how its games came about;
/// games by other rules, or by an engine that plays differently, are refused, and so is what
/// cannot be read or written.
core::Result<GenerationProgress> generate(
    const GenerationOrder& order,
    const std::function<bool(const GenerationProgress&)>& shall_continue);

}  // namespace engine
