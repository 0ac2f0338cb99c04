#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/position.hpp"

#include "engine/datagen/game_record.hpp"
#include "engine/evaluate/nnue/architecture.hpp"
#include "engine/evaluate/nnue/pawn_pairs.hpp"
#include "engine/evaluate/nnue/threats.hpp"

namespace train {

/// Record::result of a position that is not of a game but of a sideline, which is not played to an
/// end.
inline constexpr std::uint8_t no_result = 3;

/// A position to learn from in 32 bytes, as the side to move sees it: when that is Black, the
/// board is turned upside down and the colours are exchanged.
struct Record {
    std::uint64_t occupied = 0;  ///< bit 0 is a1
    /// Four bits for each piece in the order of their squares, the lower half of a byte first:
    /// the type, and 8 more for the opponent's.
    std::array<std::uint8_t, 16> pieces{};
    std::int16_t score = 0;       ///< what the search found, in centipawns
    std::uint8_t result = 0;      ///< of the game: 0 lost, 1 drawn, 2 won; no_result in a sideline
    std::uint8_t validation = 0;  ///< 1: for validation, not for training
    std::uint8_t king = 0;        ///< its square
    std::uint8_t opponents_king = 0;
    std::array<std::uint8_t, 2> unused{};
};

static_assert(sizeof(Record) == 32);

/// The record of a position; the score is White's.
Record record_of(const core::Position& position,
                 engine::Score score,
                 std::optional<engine::datagen::GameResult> result);

/// Pieces first, then threats, then pawn pairs.
inline constexpr int first_pawn_pair =
    engine::nnue::feature_count + engine::nnue::threat_feature_count;
inline constexpr int feature_count = first_pawn_pair + engine::nnue::pawn_pair_count;
inline constexpr std::size_t max_active_features =
    32 + engine::nnue::ThreatList::max_size + engine::nnue::PawnPairs::max_size;

/// The active input features of a position, from the perspective of the side to move and then from
/// the opponent's.
struct Features {
    int pieces = 0;
    int count = 0;  ///< pieces, threats and pawn pairs
    std::array<std::array<std::uint16_t, max_active_features>, 2> of{};
};

/// The features of a record. That of a piece is 768 * king bucket + 384 * (it is the opponent's) +
/// 64 * type + square; the square is turned upside down for Black, and left to right when the own
/// king of the perspective stands on the files e to h. That of a threat (engine/evaluate/nnue/
/// threats.hpp) is the same with 4 * 768 + 768 * kind instead of 768 * king bucket; that of a pair
/// of pawns (pawn_pairs.hpp) is first_pawn_pair + its number.
Features features_of(const Record& record);

}  // namespace train
