#pragma once

namespace engine {

/// A ply of reduction has so many parts.
inline constexpr int ply_parts = 1'024;

/// How much less depth a late move deserves, in parts of a ply, by the depth of its node and its
/// number there.
int quiet_reduction(int depth, int move_number);
int noisy_reduction(int depth, int move_number);

}  // namespace engine
