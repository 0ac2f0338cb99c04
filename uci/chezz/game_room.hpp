#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/result.hpp"

#include "uci/chezz/action.hpp"
#include "uci/chezz/game_state.hpp"
#include "uci/chezz/record.hpp"

namespace uci::chezz {

/// A user's connection to a game.
class Client {
public:
    Client() = default;
    virtual ~Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(Client&&) = delete;

    virtual UserId user() const = 0;
    /// The address for the limit of searches; empty: there is none.
    virtual const std::string& client_key() const = 0;
    /// Whether the connection is closed.
    virtual bool has_left() const = 0;
    /// Sends messages in this order.
    virtual void send(const std::vector<std::string>& messages) = 0;
    /// Sends what is pending, then closes the connection.
    virtual void disconnect() = 0;
};

/// What a room needs from the server. The callbacks run later, in the room's thread.
class GameRoomServices {
public:
    using GameCallback = std::function<void(const core::Result<std::optional<StoredGame>>&)>;
    using ReplaceCallback = std::function<void(core::Result<bool>)>;
    using MoveCallback = std::function<void(std::optional<core::Move>)>;
    using Deadline = std::chrono::steady_clock::time_point;

    GameRoomServices() = default;
    virtual ~GameRoomServices() = default;
    GameRoomServices(const GameRoomServices&) = delete;
    GameRoomServices& operator=(const GameRoomServices&) = delete;
    GameRoomServices(GameRoomServices&&) = delete;
    GameRoomServices& operator=(GameRoomServices&&) = delete;

    virtual const Rules& rules() const = 0;
    /// When the store must have done what an event of now needs.
    virtual Deadline store_deadline() const = 0;
    /// Reads a game from the store; its state only if the record is not the known one.
    virtual void find_game(GameId id,
                           std::optional<std::string> known_record,
                           Deadline deadline,
                           GameCallback callback) = 0;
    /// Replaces a game's record. The callback gets false if it is no longer `before`.
    virtual void replace_record(GameId id,
                                std::string before,
                                std::string after,
                                Deadline deadline,
                                ReplaceCallback callback) = 0;
    /// Calls `retry` once, when the store may work again.
    virtual void when_store_may_work(std::function<void()> retry) = 0;
    /// Queues a search for the engine's move. False: too many searches wait, or too many of this
    /// client.
    virtual bool request_move(const GameState& state,
                              const std::string& client_key,
                              MoveCallback callback) = 0;
    /// Calls `retry` once, as soon as a search of this client can be queued.
    virtual void when_queue_not_full(const std::string& client_key,
                                     std::function<void()> retry) = 0;
    /// How many plies of a game a user has seen, if known.
    virtual std::optional<std::size_t> plies_seen(UserId user, GameId id) = 0;
    virtual void set_plies_seen(UserId user, GameId id, std::size_t plies) = 0;
    /// A change that this server has stored has ended a game.
    virtual void note_end(const GameState& /*state*/, EndReason /*reason*/) {}
};

/// A game and the clients connected to it. Handles their events one after the other: each is
/// validated, then stored, and only then sent to everyone. If another process has changed the
/// game, the clients get that change first and the event is validated again. Belongs to one thread.
class GameRoom : public std::enable_shared_from_this<GameRoom> {
public:
    GameRoom(GameRoomServices& services, GameId id) : services_{services}, id_{id} {}

    /// Adds a client, who takes a seat if one is free.
    void join(const std::shared_ptr<Client>& client);
    void leave(const std::shared_ptr<Client>& client);
    /// Handles a client's message.
    void receive(const std::shared_ptr<Client>& client, const std::string& message);
    /// Reads the game from the store again, because another process may have changed it.
    void refresh();
    void disconnect_all();
    GameId id() const { return id_; }
    std::size_t plies() const { return state_ ? state_->game.moves().size() : 0; }
    std::size_t count_clients() const { return clients_.size(); }
    /// Drops all clients and queued events. No other call may follow.
    void close();

private:
    struct Join {};
    struct Message {
        std::string text;
    };
    struct EngineMove {
        core::Move move;
        std::size_t ply;
        bool is_retry = false;
    };
    struct Refresh {};
    /// Something to handle. The engine's moves and refreshes have no client.
    struct QueuedEvent {
        std::shared_ptr<Client> client;
        std::variant<Join, Message, EngineMove, Refresh> event;
        GameRoomServices::Deadline deadline{};
        int conflicts = 0;
        bool is_up_to_date = false;  ///< the game was read from the store for this event
    };

    void enqueue(QueuedEvent event);
    void handle_queue();
    void handle_next();
    void read_game();
    void on_game(const core::Result<std::optional<StoredGame>>& found);
    void handle_event();
    void handle_join();
    void handle_message(const std::string& text);
    bool may_be_outdated() const;
    void handle_engine_move(const EngineMove& reply);
    void store_state(const GameState& after);
    void note_end(const GameState& after);
    void handle_conflict(const core::Result<bool>& replaced);
    void finish();
    void reject(const Rejection& rejection);
    void handle_store_failure();
    void drop_event();

    bool has_space_for(const Client& client) const;
    bool is_one_too_many(const Client& client) const;
    void evict_oldest_of(UserId user);
    void send_join_messages(const std::shared_ptr<Client>& client);
    void set_state(const GameState& state, std::string record);
    void request_engine_move();
    void send_to_all(const std::vector<std::string>& messages);
    bool has_joined(const std::shared_ptr<Client>& client) const;

    GameRoomServices& services_;
    GameId id_;
    /// The record that the store holds, as far as known; none after the store has failed.
    std::optional<std::string> record_;
    /// The state that the clients know.
    std::optional<GameState> state_;
    std::vector<std::shared_ptr<Client>> clients_;
    std::deque<QueuedEvent> queue_;
    bool busy_ = false;          ///< the first event of the queue is being handled
    std::string client_key_;     ///< of the client whose event was handled last
    bool thinking_ = false;      ///< the engine searches this game or will do so
    bool awaits_queue_ = false;  ///< when_queue_not_full() will call back
};

}  // namespace uci::chezz
