#pragma once

#include <optional>
#include <vector>

#include "core/move.hpp"
#include "core/position.hpp"

#include "engine/analysis/explain/claim.hpp"

// How a pv wins: facts about the board that can be checked on it, whatever else is played.
namespace engine::explain {

/// The move that is explained, if it is not part of the pv.
struct PlayedMove {
    core::Position before;
    core::Move move{};
};

struct FoundMotif {
    Motif motif = Motif::none;
    std::vector<core::Square> squares;  ///< as Motif lists them
};

/// The motif of a proven pv that wins material, from the position in which it begins. The pv's
/// first mover wins `amount`; the others are the victims.
FoundMotif motif_of_gain(const core::Position& position,
                         const std::vector<core::Move>& moves,
                         int amount,
                         const std::optional<PlayedMove>& played);

/// The motif of a pv that ends in mate.
FoundMotif motif_of_mate(const core::Position& position, const std::vector<core::Move>& pv);

/// The piece that the first move of the pv captures, if all its value is won.
std::optional<core::PieceType> piece_won(const core::Position& position,
                                         core::Move first,
                                         int amount);

}  // namespace engine::explain
