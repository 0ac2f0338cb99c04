#pragma once

namespace engine::search {

/// One ply of reduction.
inline constexpr int lmr_unit = 1'024;

/// The base of late move reductions: how much less depth a move gets, in lmr_unit, by the depth of
/// its node and its number there.
int quiet_reduction(int depth, int move_count);
int noisy_reduction(int depth, int move_count);

}  // namespace engine::search
