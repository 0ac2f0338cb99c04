#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/position.hpp"

#include "engine/score.hpp"
#include "engine/search/history.hpp"

namespace engine::search {

/// A principal variation: the moves that both players are expected to play.
class PrincipalVariation {  // NOLINT(cppcoreguidelines-pro-type-member-init): moves_ up to length_
public:
    void clear() { length_ = 0; }
    /// Becomes this move followed by the rest.
    void set(core::Move first, const PrincipalVariation& rest) {
        moves_[0] = first;
        length_ = std::min(rest.length_ + 1, moves_.size());
        std::copy_n(rest.moves_.begin(), length_ - 1, moves_.begin() + 1);
    }
    std::vector<core::Move> moves() const {
        return {moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(length_)};
    }

private:
    std::array<core::Move, max_ply> moves_;
    std::size_t length_ = 0;
};

/// One ply of the search stack: what other plies read. What only the node itself needs is a local
/// of its functions.
struct StackEntry {
    int ply = 0;
    core::Position position = core::Position::start();
    /// Set unless in check: read two and four plies further on, and by the reply.
    Score static_eval = draw;

    // The move being searched; none is a null move.
    std::optional<core::Move> move;
    PieceToHistory* continuation = nullptr;  ///< the continuation history after that move
    int move_count = 0;                      ///< 1 is the first move of the node
    int reduction = 0;                       ///< plies by which LMR reduces that move now

    int double_extensions = 0;  ///< on the way here
    int cutoff_count = 0;       ///< beta cutoffs at this ply since the grandparent was entered
    PrincipalVariation pv;      ///< only PV nodes have one
};

}  // namespace engine::search
