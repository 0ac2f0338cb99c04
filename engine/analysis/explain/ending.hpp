#pragma once

#include <optional>

#include "core/position.hpp"

#include "engine/tablebase/tablebases.hpp"

namespace engine::explain {

/// How an ending ends for the side to move if both sides play their best.
enum class EndingResult : signed char { loss = -1, draw = 0, win = 1 };

/// The result of an ending, fifty-move rule included, where it is known for certain: from the exact
/// table of king and pawn against king, or else from Syzygy tables, which may be null.
std::optional<EndingResult> known_result(const core::Position& position,
                                         const tablebase::Tablebases* tables);

}  // namespace engine::explain
