#pragma once

#include "core/position.hpp"

namespace engine::search {

/// The squares that the opponent of the side to move attacks, by the most valuable attacker: each
/// set includes the ones before.
struct Threats {
    core::Bitboard by_pawns;
    core::Bitboard by_minors;
    core::Bitboard by_rooks;
    core::Bitboard by_any;
};

Threats threats_in(const core::Position& position);

}  // namespace engine::search
