#include "engine/search/correction.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "engine/search/parameters.hpp"

namespace engine {

namespace {

using core::PieceType;
using core::Position;

/// A number that depends on where these pieces stand; equal boards give equal numbers.
std::uint64_t mixed(const Position& position,
                    core::Bitboard who,
                    std::initializer_list<PieceType> types) {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ULL;
    std::uint64_t mix = 0;
    for (const PieceType type : types) {
        // A product carries upwards only: what is high must come down to be seen.
        mix = (mix ^ (position.pieces(type) & who).bits()) * factor;
        mix ^= mix >> 32;
    }
    return (mix * factor) >> 40;
}

void pull(std::int16_t& value, int bonus) {
    value = static_cast<std::int16_t>(value + bonus
                                      - value * std::abs(bonus) / parameters::correction_limit);
}

}  // namespace

Corrections::Places Corrections::places_of(const Position& position) {
    const auto pieces = {PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen,
                         PieceType::king};
    const auto minors = {PieceType::knight, PieceType::bishop, PieceType::king};
    return {core::index_of(position.side_to_move()), position.pawn_key() % size,
            mixed(position, position.pieces(core::Color::white), pieces) % size,
            mixed(position, position.pieces(core::Color::black), pieces) % size,
            (mixed(position, position.pieces(core::Color::white), minors)
             + 3 * mixed(position, position.pieces(core::Color::black), minors))
                % size};
}

Score Corrections::of(const Position& position) const {
    const Places at = places_of(position);
    const int sum = parameters::pawn_correction_weight * pawns_[at.player][at.pawns]
                  + parameters::piece_correction_weight
                        * (white_[at.player][at.white] + black_[at.player][at.black])
                  + parameters::minor_correction_weight * minors_[at.player][at.minors];
    return sum / parameters::correction_divisor;
}

void Corrections::learn(const Position& position, int depth, Score difference) {
    const int bonus =
        std::clamp(difference * depth / parameters::correction_bonus_divisor,
                   -parameters::correction_bonus_most, parameters::correction_bonus_most);
    const Places at = places_of(position);
    pull(pawns_[at.player][at.pawns], bonus);
    pull(white_[at.player][at.white], bonus);
    pull(black_[at.player][at.black], bonus);
    pull(minors_[at.player][at.minors], bonus);
}

void Corrections::clear() {
    for (Table* table : {&pawns_, &white_, &black_, &minors_}) {
        for (auto& row : *table)
            row.fill(0);
    }
}

}  // namespace engine
