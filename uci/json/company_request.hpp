#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

// What a client can ask for where several take part in a game. The interface itself has nothing
// of the kind: who does not ask for these is told what it says and nothing else.
namespace uci::json {

/// Tell me how the game stands, and again whenever that has changed.
struct FollowGame {};
/// From now on only who knows the key moves for that player.
struct TakeSeat {
    core::Color player;
    std::string key;
};
struct LeaveSeat {
    core::Color player;
};
/// Tell me what the engine makes of the position, of this one and of those to come.
struct StartAnalysis {};
struct StopAnalysis {};

using CompanyRequest = std::variant<FollowGame, TakeSeat, LeaveSeat, StartAnalysis, StopAnalysis>;

/// A key has so many bytes.
inline constexpr std::size_t shortest_key = 16;
inline constexpr std::size_t longest_key = 64;

/// The request of this kind that a message is; nothing when it is none, for whatever reason.
std::optional<CompanyRequest> read_company_request(std::string_view message);

}  // namespace uci::json
