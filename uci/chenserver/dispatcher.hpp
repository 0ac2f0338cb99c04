#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "uci/chenserver/command_handler.hpp"
#include "uci/server/search_queue.hpp"

namespace uci::chenserver {

/// How a ChenServer divides the engine's time among its games.
server::SearchQueuePolicy search_policy();

/// Executes the commands of all clients: those of one game in their order, and those of different
/// games independently, so that a search delays only its own game. Belongs to the thread of its
/// search queue.
class Dispatcher {
public:
    /// Gets the answer to a command, without a line end.
    using Reply = std::function<void(const std::string&)>;
    using CommandId = std::uint64_t;

    /// `log` hears of the games that begin and end; it may be null.
    explicit Dispatcher(server::SearchQueue& queue, server::GameLog* log = nullptr)
        : queue_{queue},
          handler_{log} {}

    /// Handles a line; `reply` is called now or later. `halt` takes effect at once and is answered
    /// in its turn, `exit` after everything before it. `client` is a net::client_key(), for the
    /// limits of one client; an empty one has none.
    CommandId submit(const std::string& line, Reply reply, const std::string& client = {});
    /// The client of a command has gone. A command that waits is dropped. A running search ends
    /// now, and `think` still plays the best move found.
    void abandon(CommandId id);
    /// Removes a game with a name ahead of its commands that wait, which are answered by
    /// GAME_CLOSED. Its running search ends first. `reply` is called when the game is gone.
    void end_game(const std::string& name, Reply reply);

    const GameRegistry& games() const { return handler_.games(); }
    /// Whether every command is answered.
    bool is_idle() const { return games_.empty() && !exit_reply_; }
    /// Whether `exit` has been answered: no command is executed after that.
    bool has_ended() const { return has_ended_; }

private:
    struct PendingCommand {
        CommandId id = 0;
        std::string line;  ///< not parsed, because that takes much more memory
        Reply reply;
        std::string client;
    };
    struct RunningSearch {
        CommandId id = 0;
        SearchRequest request;
        Reply reply;
        std::optional<server::SearchQueue::JobId> job;
    };
    /// A game with commands that are not answered yet.
    struct BusyGame {
        std::deque<PendingCommand> waiting;
        std::optional<RunningSearch> search;
    };

    void halt(const std::string& game);
    void execute_waiting(const std::string& game);
    void execute(const PendingCommand& pending);
    void begin_search(SearchRequest request, const PendingCommand& pending);
    void finish_search(const std::string& game, const server::SearchResult& result);
    void exit_if_idle();

    server::SearchQueue& queue_;
    CommandHandler handler_;
    std::map<std::string, BusyGame> games_;
    CommandId last_id_ = 0;
    Reply exit_reply_;  ///< of an `exit` that waits for the commands before it
    bool has_ended_ = false;
};

}  // namespace uci::chenserver
