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

/// Builds the table of all positions by retrograde analysis from the promotions: 24 KB, about 15 ms
/// at the first call. Called when an Evaluate is made, so that it never happens in a search.
void build_kpk_table();

/// Whether the pawn wins. Exact.
bool kpk_is_won(const KpkPosition& ending);

}  // namespace engine::evaluate
