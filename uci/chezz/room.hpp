#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/result.hpp"

#include "uci/chezz/judge.hpp"
#include "uci/chezz/table.hpp"

namespace uci::chezz {

/// Someone who is connected to a game.
class Guest {
public:
    Guest() = default;
    virtual ~Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;
    Guest(Guest&&) = delete;
    Guest& operator=(Guest&&) = delete;

    virtual UserId user() const = 0;
    /// Whether this guest has left.
    virtual bool is_gone() const = 0;
    /// Tells one thing after the other.
    virtual void tell(const std::vector<std::string>& messages) = 0;
    /// There is nothing for this guest here.
    virtual void dismiss() = 0;
};

/// What a room needs of the house. Answers come later, and in the room's own thread.
class RoomHost {
public:
    using Found = std::function<void(core::Result<std::optional<std::string>>)>;
    using Replaced = std::function<void(core::Result<bool>)>;
    using Thought = std::function<void(std::optional<core::Move>)>;

    RoomHost() = default;
    virtual ~RoomHost() = default;
    RoomHost(const RoomHost&) = delete;
    RoomHost& operator=(const RoomHost&) = delete;
    RoomHost(RoomHost&&) = delete;
    RoomHost& operator=(RoomHost&&) = delete;

    virtual const Rules& rules() const = 0;
    /// The stored record of a game.
    virtual void find(GameId id, Found found) = 0;
    /// Puts a record in the place of another; false when another one is there by now.
    virtual void replace(GameId id, std::string before, std::string after, Replaced done) = 0;
    /// Lets the engine think about a game; false when too many games wait for it.
    virtual bool think(const Table& table, Thought thought) = 0;
    /// How many plies of a game a user was told of when last here; nothing when nobody knows.
    virtual std::optional<std::size_t> plies_seen(UserId user, GameId id) = 0;
    virtual void note_plies_seen(UserId user, GameId id, std::size_t plies) = 0;
};

/// A game and those who are connected to it. What they do is done one after the other: judged,
/// stored, and only then told to everyone. When another process has changed the game meanwhile,
/// that is told first and the matter judged anew. Belongs to one thread.
class Room : public std::enable_shared_from_this<Room> {
public:
    Room(RoomHost& host, GameId id) : host_{host}, id_{id} {}

    /// A guest comes, and takes a seat if one is free.
    void enter(const std::shared_ptr<Guest>& guest);
    void leave(const std::shared_ptr<Guest>& guest);
    /// A guest has sent a message.
    void hear(const std::shared_ptr<Guest>& guest, const std::string& message);
    /// Another process may have changed the stored game.
    void look();
    /// Says good-bye to everyone.
    void dismiss_all();
    /// Lets go of everyone and everything; the last thing that is called.
    void close();

private:
    struct Entrance {};
    struct Message {
        std::string text;
    };
    struct EngineMove {
        core::Move move;
        std::size_t ply;
    };
    struct Look {};
    /// Something to be done; the engine's moves and looks are nobody's.
    struct Matter {
        std::shared_ptr<Guest> guest;
        std::variant<Entrance, Message, EngineMove, Look> what;
        int conflicts = 0;
        bool is_up_to_date = false;  ///< the store was asked since it began
    };

    void add(Matter matter);
    void go_on();
    void begin();
    void read();
    void take(const core::Result<std::optional<std::string>>& found);
    void handle();
    void handle_entrance();
    void handle_message(const std::string& text);
    bool may_be_mistaken() const;
    void handle_engine_move(const EngineMove& reply);
    void change_to(const Table& after);
    void change_failed(const core::Result<bool>& replaced);
    void finish();
    void refuse(const Refusal& refusal);
    void done();

    bool lets_in(const Guest& guest) const;
    void make_room_for(const Guest& guest);
    void welcome(const std::shared_ptr<Guest>& guest);
    void learn(const Table& table, std::string record);
    void want_engine();
    void tell_all(const std::vector<std::string>& messages);
    bool is_here(const std::shared_ptr<Guest>& guest) const;

    RoomHost& host_;
    GameId id_;
    /// What the store holds, as far as this room knows; nothing after it has failed.
    std::optional<std::string> record_;
    /// The game as the guests have been told of it.
    std::optional<Table> table_;
    std::vector<std::shared_ptr<Guest>> guests_;
    std::deque<Matter> waiting_;
    bool busy_ = false;      ///< with the first of them
    bool thinking_ = false;  ///< the engine is, about this game
};

}  // namespace uci::chezz
