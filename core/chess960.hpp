#pragma once

#include "core/position.hpp"

namespace core {

/// How many ways there are to set up the back rank in Chess960.
inline constexpr int chess960_count = 960;

/// A start where each player's back rank is set up in the way of that number, 0 to 959 as in
/// Scharnagl's numbering (518 is standard chess). Two different numbers give a start of double
/// Fischer random chess.
Position chess960_start(int white, int black);

}  // namespace core
