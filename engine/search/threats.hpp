#pragma once

#include "core/position.hpp"

namespace engine {

/// The squares that the opponent of the player to move attacks, by what attacks them: each set
/// holds the ones before.
struct Threats {
    core::Bitboard by_pawns;
    core::Bitboard by_minors;
    core::Bitboard by_rooks;
    core::Bitboard by_any;
};

Threats threats_in(const core::Position& position);

}  // namespace engine
