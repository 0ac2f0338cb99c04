#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/limits.hpp"

#include "uci/chenserver/command.hpp"
#include "uci/chenserver/game_registry.hpp"
#include "uci/server/game_log.hpp"

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
    /// `log` hears of the games that begin and end; it may be null.
    explicit CommandHandler(server::GameLog* log = nullptr) : log_{log} {}

    /// The answer without its line end, or the search that comes first. `client` is a
    /// net::client_key().
    std::variant<std::string, SearchRequest> execute(const Command& command,
                                                     GameRegistry::Time now,
                                                     const std::string& client = {});
    /// The answer once the engine has found a move; `think` plays it.
    std::string finish(const SearchRequest& request, core::Move move, GameRegistry::Time now);

    const GameRegistry& games() const { return games_; }

private:
    /// What of a game is logged.
    struct Progress {
        std::optional<std::uint64_t> number;  ///< none before the game was made
        std::string result;
    };

    Progress progress_of(const ServedGame& served) const;
    void log_progress(const std::string& name, const Progress& before, ServedGame& now) const;
    std::variant<std::string, SearchRequest> execute_on(ServedGame& served, const Command& command);

    GameRegistry games_;
    server::GameLog* log_;
};

}  // namespace uci::chenserver
