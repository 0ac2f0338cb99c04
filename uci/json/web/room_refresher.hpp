#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "uci/json/web/room_store.hpp"
#include "uci/util/log_throttle.hpp"

namespace uci::json::web {

/// Reads the records of rooms again, a limited number at a time. What cannot be read is logged, but
/// not a flood of it, and read at the next retry(). Belongs to the server's thread.
class RoomRefresher {
public:
    /// Why a room is read again: it was changed or removed elsewhere, or may have been.
    enum class Cause : bool { may_have_changed, has_changed };
    using OnRead = std::function<void(const std::string& id, Cause, const RoomStore::Found&)>;

    RoomRefresher(RoomStore& store, OnRead on_read) : store_{store}, on_read_{std::move(on_read)} {}

    /// Reads a room again, after those that wait.
    void add(const std::string& id, Cause cause);
    /// Reads again what could not be read; to be called once a second.
    void retry();
    /// Logs that a record cannot be used.
    void log_failure(const std::string& id, std::string_view reason);

private:
    using Rooms = std::map<std::string, Cause>;

    void read_next();

    RoomStore& store_;
    OnRead on_read_;
    Rooms waiting_;
    Rooms failed_;
    std::size_t reading_ = 0;
    util::LogThrottle failures_;
};

}  // namespace uci::json::web
