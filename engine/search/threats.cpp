#include "engine/search/threats.hpp"

namespace engine::search {

Threats threats_in(const core::Position& position) {
    const auto them = ~position.side_to_move();
    core::SquaresByType pieces;
    for (const auto type : core::all_piece_types)
        pieces[core::index_of(type)] = position.pieces(them, type);
    return core::attack_sets(them, pieces, position.pieces());
}

}  // namespace engine::search
