#include "tools/train/record.hpp"

#include <bit>

#include "engine/evaluate/nnue/threats.hpp"

namespace train {

namespace {

using core::Color;
using core::Square;

constexpr unsigned opponents = 8;
constexpr unsigned upside_down = 56;
constexpr unsigned left_to_right = 7;

/// The mask that mirrors squares left to right if the own king stands on the files e to h; else 0.
unsigned mirror(unsigned king) {
    return (king & 7) >= 4 ? left_to_right : 0;
}

/// The first feature of the king bucket for a king's square, as its own side sees it.
unsigned first_feature(unsigned king) {
    return static_cast<unsigned>(engine::nnue::piece_feature_count
                                 * engine::nnue::king_bucket_of[king]);
}

/// Calls `use` with the square and the code of each piece: its type, and 8 more for the opponent's.
template <typename Use>
void for_each_piece(const Record& record, const Use& use) {
    std::size_t number = 0;
    for (auto rest = record.occupied; rest != 0; rest &= rest - 1, ++number)
        use(static_cast<unsigned>(std::countr_zero(rest)),
            record.pieces[number / 2] >> (number % 2 * 4) & 15U);
}

unsigned code_of(core::Piece piece, Color stm) {
    return static_cast<unsigned>(core::index_of(piece.type()))
         | (piece.color() == stm ? 0 : opponents);
}

void add_pawn_pairs(Features& features, const Record& record, const engine::nnue::Pawns& pawns) {
    const auto perspective = [](Color color, std::uint8_t king) {
        return engine::nnue::perspective_of(color, Square{king});
    };
    const engine::nnue::PawnPairs own{pawns, perspective(Color::white, record.king)};
    const engine::nnue::PawnPairs other{pawns, perspective(Color::black, record.opponents_king)};
    // Both are in the order of the pawns' squares on the board: pair by pair the same pawns.
    const std::uint16_t* seen_by_other = other.begin();
    for (const auto pair : own) {
        const auto place = static_cast<std::size_t>(features.count++);
        features.of[0][place] = static_cast<std::uint16_t>(first_pawn_pair + pair);
        features.of[1][place] = static_cast<std::uint16_t>(first_pawn_pair + *seen_by_other++);
    }
}

}  // namespace

Record record_of(const core::Position& position,
                 engine::Score score,
                 std::optional<engine::datagen::GameResult> result) {
    const Color stm = position.side_to_move();
    Record record;
    for (const Square square : position.pieces())
        record.occupied |= core::Bitboard{square.relative_square(stm)}.bits();
    unsigned number = 0;
    for (const Square seen : core::Bitboard{record.occupied}) {
        const unsigned code = code_of(position.piece_at_unchecked(seen.relative_square(stm)), stm);
        record.pieces[number / 2] |= static_cast<std::uint8_t>(code << (number % 2 * 4));
        ++number;
    }
    record.score = static_cast<std::int16_t>(stm == Color::white ? score : -score);
    record.result = no_result;
    if (result) {
        const int points = static_cast<int>(*result);
        record.result = static_cast<std::uint8_t>(stm == Color::white ? points : 2 - points);
    }
    record.king = static_cast<std::uint8_t>(position.king(stm).relative_square(stm).index());
    record.opponents_king =
        static_cast<std::uint8_t>(position.king(~stm).relative_square(stm).index());
    return record;
}

Features features_of(const Record& record) {
    const unsigned own = mirror(record.king);
    const unsigned other = mirror(record.opponents_king) ^ upside_down;
    Features features;
    // Adds the feature of a piece on a square in sets that begin at these features.
    const auto add = [&](unsigned own_first, unsigned other_first, unsigned square, unsigned code) {
        const unsigned type = 64 * (code & 7);
        const unsigned foreign = code & opponents ? 384 : 0;
        features.of[0][features.count] =
            static_cast<std::uint16_t>(own_first + foreign + type + (square ^ own));
        features.of[1][features.count] =
            static_cast<std::uint16_t>(other_first + 384 - foreign + type + (square ^ other));
        ++features.count;
    };
    const unsigned own_first = first_feature(record.king);
    const unsigned other_first = first_feature(record.opponents_king ^ upside_down);
    engine::nnue::PieceSquares pieces;
    for_each_piece(record, [&](unsigned square, unsigned code) {
        add(own_first, other_first, square, code);
        pieces[code & opponents ? 1 : 0][code & 7] |= core::Bitboard{1ULL << square};
    });
    features.pieces = features.count;
    for (const auto& threat : engine::nnue::find_threats(pieces)) {
        const auto first = static_cast<unsigned>(engine::nnue::feature_count
                                                 + engine::nnue::piece_feature_count
                                                       * static_cast<std::size_t>(threat.kind));
        add(first, first, static_cast<unsigned>(threat.square.index()),
            threat.type | (threat.color == Color::white ? 0 : opponents));
    }
    add_pawn_pairs(features, record, {pieces[0][0], pieces[1][0]});
    return features;
}

}  // namespace train
