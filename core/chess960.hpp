#pragma once

#include "core/position.hpp"

namespace core {

/// The number of back ranks in Chess960.
inline constexpr int chess960_count = 960;

/// The start position with these back ranks, 0 to 959 in Scharnagl's numbering (518 is standard
/// chess). Two different numbers give a start of double Fischer random chess.
[[nodiscard]] Position chess960_start(int white, int black);

}  // namespace core
