#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/result.hpp"

#include "uci/json/web/room_record.hpp"

namespace uci::json::web {

/// A room to be stored.
struct RoomSave {
    std::string id;
    /// The record that the store holds, as far as known; none for a new room.
    std::optional<std::string> before;
    std::string after;
    /// The last save has failed, and may have been made all the same.
    bool is_uncertain = false;
};

/// A record as the store holds it, and read; or why it cannot be read.
struct StoredRoom {
    std::string text;
    core::Result<RoomRecord> record;
    std::string state;  ///< of write_room_state()
};

/// Takes long for a long game.
inline StoredRoom read_stored_room(std::string text) {
    auto record = read_room_record(text);
    auto state = record ? write_room_state(*record) : std::string{};
    return {std::move(text), std::move(record), std::move(state)};
}

/// Keeps the records of rooms. Calls back in the server's thread, never before a function returns.
class RoomStore {
public:
    using OnDone = std::function<void(const core::Result<bool>&)>;
    /// Shared, because a record may be large. Null: there is none.
    using Found = std::shared_ptr<const StoredRoom>;
    using OnFound = std::function<void(const core::Result<Found>&)>;

    RoomStore() = default;
    virtual ~RoomStore() = default;
    RoomStore(const RoomStore&) = delete;
    RoomStore& operator=(const RoomStore&) = delete;
    RoomStore(RoomStore&&) = delete;
    RoomStore& operator=(RoomStore&&) = delete;

    /// The name of this process in its records, which no other process has.
    virtual const std::string& server() const = 0;
    /// False, and nothing is stored, if another process has changed the room.
    virtual void save(RoomSave save, OnDone callback) = 0;
    /// Reads a record outside the server's thread, which a long game would delay.
    virtual void find(const std::string& id, OnFound callback) = 0;
    /// False if there is none.
    virtual void remove(const std::string& id, OnDone callback) = 0;

    /// Whether the process of that name is taken to run.
    virtual void check_server(const std::string& name, OnDone callback) = 0;
    /// For how long any of the processes that share the store has run, now; nothing if they share
    /// no time.
    virtual std::optional<std::chrono::milliseconds> shared_time() const = 0;
};

}  // namespace uci::json::web
