#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "uci/commands/doctor/check_result.hpp"
#include "uci/commands/doctor/machine.hpp"

namespace uci::commands {

/// Where a configuration of lichess-bot is used.
struct BotSurroundings {
    std::filesystem::path folder;  ///< relative paths begin here: where lichess-bot is started
    Machine machine;
    std::vector<std::string> text_options;  ///< UCI options that are not the engine's own
    bool token_in_environment = false;      ///< LICHESS_BOT_TOKEN is set, which takes precedence
};

/// Checks what in lichess-bot's config.yml concerns Parley. Never repeats the token.
CheckResults check_lichess_bot(const nlohmann::ordered_json& config,
                               const BotSurroundings& surroundings);

/// Reads and checks a file; folder and token of the surroundings are found out: its folder is taken
/// for lichess-bot's.
CheckResults check_lichess_bot_file(const std::string& path, BotSurroundings surroundings);

}  // namespace uci::commands
