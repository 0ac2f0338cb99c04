#pragma once

#include <optional>
#include <vector>

#include "core/move.hpp"
#include "core/position.hpp"

#include "engine/analysis/explain/claim.hpp"

// How a line wins: facts about the board that can be checked on it, whatever else is played.
namespace engine::explain {

/// The move that is explained, if it is not part of the line.
struct PlayedMove {
    core::Position before;
    core::Move move{};
};

struct FoundMotif {
    Motif motif = Motif::none;
    std::vector<core::Square> squares;  ///< as Motif lists them
};

/// The motif of a proven line that wins material, from the position in which it begins. The line's
/// first mover wins `amount`; the others are the victims.
FoundMotif motif_of_gain(const core::Position& position,
                         const std::vector<core::Move>& moves,
                         int amount,
                         const std::optional<PlayedMove>& played);

/// The motif of a line that ends in mate.
FoundMotif motif_of_mate(const core::Position& position, const std::vector<core::Move>& line);

/// The piece that the first move of the line captures, if all its value is won.
std::optional<core::PieceType> piece_won(const core::Position& position,
                                         core::Move first,
                                         int amount);

}  // namespace engine::explain
