#include "engine/search/history.hpp"

#include <cstring>
#include <type_traits>

namespace engine::search {

using core::Position;

void Histories::update_quiet(const HistoryContext& context, core::Move move, int bonus) {
    butterfly_[butterfly_index(context, move)].update(bonus);
    if (context.ply < low_plies)
        low_ply_[low_ply_index(context, move)].update(bonus);
    update_continuation(context, move, bonus);
}

void Histories::update_continuation(const HistoryContext& context, core::Move move, int bonus) {
    const auto index = piece_to_of(context.position, move);
    for (PieceToHistory* const continuation : context.continuations)
        (*continuation)[index].update(bonus);
}

void Histories::update_capture(const Position& position, core::Move move, int bonus) {
    capture_[capture_index(position, move)].update(bonus);
}

Histories::CorrectionIndices Histories::correction_indices(const Position& position) {
    const auto& keys = position.part_keys();
    const auto index = [](core::PartKeys::HalfKey key) { return key % correction_size; };
    return {core::index_of(position.side_to_move()), index(keys.pawns), index(keys.non_pawns[0]),
            index(keys.non_pawns[1]), index(keys.minors)};
}

Score Histories::correction(const Position& position) const {
    const auto at = correction_indices(position);
    const int sum =
        parameters::pawn_correction_weight * pawn_correction_[at.stm][at.pawns].value()
        + parameters::piece_correction_weight
              * (white_correction_[at.stm][at.white].value()
                 + black_correction_[at.stm][at.black].value())
        + parameters::minor_correction_weight * minor_correction_[at.stm][at.minors].value();
    return sum / parameters::correction_divisor;
}

void Histories::update_correction(const Position& position, int depth, Score difference) {
    const int bonus =
        std::clamp(difference * depth / parameters::correction_bonus_divisor,
                   -parameters::correction_bonus_max, parameters::correction_bonus_max);
    const auto at = correction_indices(position);
    pawn_correction_[at.stm][at.pawns].update(bonus);
    white_correction_[at.stm][at.white].update(bonus);
    black_correction_[at.stm][at.black].update(bonus);
    minor_correction_[at.stm][at.minors].update(bonus);
}

void Histories::clear() {
    // There is nothing but tables here, so a new one needs no line of its own.
    static_assert(std::is_trivially_copyable_v<Histories>);
    std::memset(static_cast<void*>(this), 0, sizeof(*this));
}

}  // namespace engine::search
