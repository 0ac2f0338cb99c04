#pragma once

#include "core/square.hpp"

namespace engine {

/// King and pawn against king, seen by the player with the pawn as if it were White's.
struct PawnEnding {
    core::Square king;
    core::Square pawn;
    core::Square lone_king;
    bool pawn_to_move;
};

/// Whether the pawn wins. Exact: all positions are solved, backwards from the promotions, when the
/// first one is asked for (24 KB; about 15 ms).
bool is_won(const PawnEnding& ending);

}  // namespace engine
