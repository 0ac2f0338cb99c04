#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "engine/response.hpp"

#include "uci/json/session.hpp"

// What those who take part in a game are told beyond the answers to requests.
namespace uci::json {

/// Who is there beside the board.
struct Company {
    std::array<bool, 2> is_taken{};  ///< whether White's and Black's seats are
    std::size_t present = 0;
};

/// Everything that is needed to show a game. `moves` are those played, in SAN.
std::string game(std::string_view id,
                 const Session& session,
                 std::span<const std::string> moves,
                 const Company& company);

/// What the engine makes of the position after so many plies, its score for White.
std::string analysis(const core::Game& game, const engine::Info& info);

std::string seat_taken(core::Color player);
std::string seat_left(core::Color player);
std::string analysis_started();
std::string analysis_stopped();

}  // namespace uci::json
