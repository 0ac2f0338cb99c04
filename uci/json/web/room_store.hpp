#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/result.hpp"

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

/// Keeps the records of rooms. Calls back in the server's thread, never before a function returns.
class RoomStore {
public:
    using OnDone = std::function<void(const core::Result<bool>&)>;
    using OnFound = std::function<void(const core::Result<std::optional<std::string>>&)>;

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
    virtual void find(const std::string& id, OnFound callback) = 0;
    /// False if there is none.
    virtual void remove(const std::string& id, OnDone callback) = 0;
};

}  // namespace uci::json::web
