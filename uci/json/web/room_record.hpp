#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "engine/limits.hpp"

#include "uci/json/session.hpp"

namespace uci::json::web {

using WallTime = std::chrono::sys_time<std::chrono::milliseconds>;

inline WallTime wall_time() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// What is stored of a room.
struct RoomRecord {
    SessionState session;
    std::optional<engine::Limits> search;  ///< for the engine's move, while it is being searched
    std::string searcher{};                ///< the process that searches it
    /// What White's and Black's keys are compared with; see hash_of_key().
    std::array<std::string, 2> seats;
    std::array<std::string, 2> names;  ///< of White and Black; empty for none
    int rematches = 0;                 ///< how often the players have changed colours
    WallTime created{};
    WallTime changed{};  ///< the game or its players, last
    WallTime active{};   ///< a client, last, as far as is known
    /// How often the room has been stored.
    std::uint64_t revision = 0;
    /// The process that has stored this.
    std::string server;
    /// RoomStore::shared_time() then: until there the clock is charged.
    std::optional<engine::Milliseconds> time{};
};

/// Writes a record as a JSON object.
std::string write_room_record(const RoomRecord& record);

/// Writes what is stored of a room but for its times and its server, which change no game.
std::string write_room_state(RoomRecord record);

/// Reads a record; members that it does not know are left out. Error: what is wrong with it, or
/// that its version is a later one.
core::Result<RoomRecord> read_room_record(std::string_view text);

/// Whether the process of that name has written a record, which is not read for that.
bool is_written_by(std::string_view text, std::string_view server);

/// What is stored of a player's key, so that the store gives no seat away. Keys are random.
std::string hash_of_key(std::string_view key);

}  // namespace uci::json::web
