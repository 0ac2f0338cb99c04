#pragma once

#include <optional>
#include <span>

#include "core/move.hpp"
#include "core/position.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/analysis/explain/prover.hpp"

namespace engine::explain {

/// Proves that each of `others`, which are all other legal moves, allows mate or loses material,
/// and that `move` does not in as many plies. Nothing if that is not so, or takes too long to
/// prove: put the moves that are most likely to hold first.
std::optional<OnlyMove> prove_only_move(Prover& prover,
                                        const core::Position& position,
                                        core::Move move,
                                        std::span<const core::Move> others);

}  // namespace engine::explain
