#pragma once

#include <array>

#include "core/piece.hpp"

#include "engine/evaluate/tapered.hpp"

// What each feature of a position is worth: middlegame and endgame, in centipawns. Set by hand
// from what is common knowledge among engines; a network will take this place.
namespace engine::weights {

/// Pawn, knight, bishop, rook, queen, king.
inline constexpr std::array<Tapered, 6> material{
    {{82, 100}, {337, 298}, {360, 315}, {477, 530}, {1015, 955}, {0, 0}}};

/// How much of the middlegame a piece stands for; 24 at the start of a game.
inline constexpr std::array<int, 6> phase{0, 1, 1, 2, 4, 0};
inline constexpr int full_phase = 24;

/// By rank from a piece's own side, for each piece type.
inline constexpr std::array<std::array<Tapered, 8>, 6> by_rank{{
    {{{0, 0}, {-12, 2}, {-8, -6}, {0, -8}, {8, 0}, {18, 18}, {40, 50}, {0, 0}}},
    {{{-28, -28}, {-14, -18}, {0, -6}, {10, 8}, {18, 14}, {22, 8}, {6, -6}, {-50, -22}}},
    {{{-14, -12}, {4, -8}, {10, 0}, {8, 4}, {8, 6}, {12, 2}, {-8, -2}, {-20, -8}}},
    {{{-6, -4}, {-16, -8}, {-16, -6}, {-10, 0}, {2, 6}, {14, 6}, {24, 12}, {14, 10}}},
    {{{-6, -28}, {2, -20}, {0, -4}, {-6, 12}, {-4, 22}, {8, 20}, {-4, 18}, {4, 10}}},
    {{{18, -34}, {2, -14}, {-24, 0}, {-44, 12}, {-40, 22}, {-20, 26}, {-10, 18}, {-20, -12}}},
}};

/// By file counted from the edge (a and h, b and g, c and f, d and e), for each piece type.
inline constexpr std::array<std::array<Tapered, 4>, 6> by_file{{
    {{{-12, 4}, {0, 2}, {0, -2}, {8, -4}}},
    {{{-18, -14}, {-4, -4}, {6, 4}, {12, 10}}},
    {{{-6, -4}, {4, 0}, {0, 2}, {4, 4}}},
    {{{-4, 2}, {-2, 2}, {4, 0}, {10, -2}}},
    {{{-8, -10}, {-2, -4}, {4, 4}, {4, 10}}},
    {{{6, -22}, {22, -4}, {-6, 8}, {-24, 12}}},
}};

/// For each square a piece may go to beyond (or short of) the usual number.
struct Mobility {
    core::PieceType type{};
    int usual = 0;
    Tapered each;
};
inline constexpr std::array<Mobility, 4> mobility{{{core::PieceType::knight, 4, {8, 7}},
                                                   {core::PieceType::bishop, 6, {7, 7}},
                                                   {core::PieceType::rook, 6, {4, 7}},
                                                   {core::PieceType::queen, 12, {3, 5}}}};

inline constexpr Tapered bishop_pair{26, 58};
inline constexpr Tapered rook_on_open_file{34, 10};
inline constexpr Tapered rook_on_half_open_file{14, 10};
inline constexpr Tapered knight_outpost{26, 18};
inline constexpr Tapered bishop_outpost{16, 8};

inline constexpr Tapered doubled_pawn{-6, -22};
inline constexpr Tapered isolated_pawn{-12, -14};
inline constexpr Tapered backward_pawn{-8, -10};
/// By rank: a pawn beside or guarded by another.
inline constexpr std::array<Tapered, 8> connected_pawn{
    {{0, 0}, {4, 0}, {8, 4}, {10, 8}, {20, 18}, {42, 44}, {70, 70}, {0, 0}}};
/// By rank: a pawn that no enemy pawn can stop any more.
inline constexpr std::array<Tapered, 8> passed_pawn{
    {{0, 0}, {-6, 12}, {-6, 18}, {-2, 42}, {24, 74}, {52, 128}, {100, 190}, {0, 0}}};
/// By rank: for each square that the enemy king is farther from the square before the pawn.
inline constexpr std::array<int, 8> passed_king_distance{0, 0, 1, 4, 8, 12, 14, 0};
inline constexpr Tapered blocked_passed_pawn{-8, -26};

inline constexpr Tapered threat_by_pawn{54, 32};
inline constexpr Tapered threat_by_minor{32, 30};
inline constexpr Tapered threat_by_rook{38, 20};
inline constexpr Tapered hanging_piece{16, 14};

/// For each enemy piece near the king, and for each square of its surroundings attacked.
inline constexpr std::array<int, 6> attacker_danger{0, 16, 12, 14, 12, 0};
inline constexpr int attacked_square_danger = 7;
inline constexpr std::array<int, 6> safe_check_danger{0, 26, 14, 28, 26, 0};
inline constexpr int no_queen_relief = 60;
inline constexpr int weak_shield_danger = 9;
/// By distance of the own pawn before the king: 1 and 2 are a shield, 0 is none.
inline constexpr std::array<Tapered, 3> shield_pawn{{{-22, 0}, {12, 0}, {4, 0}}};
inline constexpr Tapered open_file_at_king{-24, 2};

inline constexpr int tempo = 16;

}  // namespace engine::weights
