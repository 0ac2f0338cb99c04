#pragma once

#include "core/square.hpp"

namespace engine::evaluate {

/// King and pawn against king, from the pawn's side, with its first rank at the bottom.
struct KpkPosition {
    core::Square king;
    core::Square pawn;
    core::Square lone_king;
    bool pawn_to_move;
};

/// Whether the pawn wins. Exact: from a table of all positions (24 KB) that retrograde analysis
/// builds at the first call, in less than a millisecond.
bool kpk_is_won(const KpkPosition& ending);

}  // namespace engine::evaluate
