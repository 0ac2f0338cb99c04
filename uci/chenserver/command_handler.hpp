#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/limits.hpp"

#include "uci/chenserver/command.hpp"
#include "uci/chenserver/game_registry.hpp"

namespace uci::chenserver {

/// What a command needs from the engine before it can be answered.
struct SearchRequest {
    CommandKind kind = CommandKind::think;  ///< think, hint or evaluate
    std::string game_name;
    core::Game game;
    engine::Milliseconds time{0};   ///< none for evaluate
    std::optional<int> elo;         ///< of the level that plays; none is full strength
    std::uint64_t game_number = 0;  ///< ServedGame::number
};

/// Executes commands on the games and writes the answers, byte for byte as ChenServer does.
/// No threads, no input, no output.
class CommandHandler {
public:
    /// The answer without its line end, or the search that comes first.
    std::variant<std::string, SearchRequest> execute(const Command& command,
                                                     GameRegistry::Time now);
    /// The answer once the engine has found a move; `think` plays it.
    std::string finish(const SearchRequest& request, core::Move move, GameRegistry::Time now);

private:
    std::variant<std::string, SearchRequest> execute_on(ServedGame& served, const Command& command);

    GameRegistry games_;
};

}  // namespace uci::chenserver
