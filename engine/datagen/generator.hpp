#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/result.hpp"

#include "engine/datagen/game_file.hpp"
#include "engine/datagen/self_play.hpp"

namespace engine::datagen {

/// What to generate, and where.
struct DatagenOptions {
    SelfPlayRules rules;
    std::filesystem::path folder;
    std::uint64_t games = 0;  ///< in the folder at the end, earlier runs included; 0: until stopped
    std::uint64_t games_per_file = 1'000;
    int threads = 1;
};

/// How far a run is.
struct DatagenProgress {
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t training_positions = 0;  ///< is_training_position() of the plies
    std::uint64_t earlier_games = 0;       ///< found in the folder, not counted above
};

/// Plays games in all threads and appends them to the files of the folder, whole games only,
/// continuing where an earlier run with the same rules stopped. Calls `shall_continue` several
/// times a second with the progress. The folder is locked while this runs; its rules.txt says how
/// its games were played. Error: another run holds the folder, its games were played by other rules
/// or by an engine that plays differently, a file is damaged, or something cannot be read or
/// written.
core::Result<DatagenProgress> generate(
    const DatagenOptions& options,
    const std::function<bool(const DatagenProgress&)>& shall_continue);

}  // namespace engine::datagen
