#pragma once

#include <array>

#include "engine/evaluate/tapered.hpp"
#include "engine/tunable.hpp"

// What each feature of a position is worth: middlegame and endgame, in centipawns. Set by hand
// from what is common knowledge among engines; a network will take this place.
namespace engine::weights {

/// Pawn, knight, bishop, rook, queen, king.
PARLEY_TUNABLE std::array<Tapered, 6> material{
    {{82, 100}, {337, 298}, {360, 315}, {477, 530}, {1015, 955}, {0, 0}}};

/// How much of the middlegame a piece stands for; 24 at the start of a game.
inline constexpr std::array<int, 6> phase{0, 1, 1, 2, 4, 0};
inline constexpr int full_phase = 24;

/// By rank from a piece's own side and by file counted from the edge (a and h, b and g, c and f,
/// d and e), for each piece type.
PARLEY_TUNABLE std::array<std::array<std::array<Tapered, 4>, 8>, 6> piece_square{
    {{{{{{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
       {{{-24, 6}, {-12, 4}, {-12, 0}, {-4, -2}}},
       {{{-20, -2}, {-8, -4}, {-8, -8}, {0, -10}}},
       {{{-12, -4}, {0, -6}, {0, -10}, {8, -12}}},
       {{{-4, 4}, {8, 2}, {8, -2}, {16, -4}}},
       {{{6, 22}, {18, 20}, {18, 16}, {26, 14}}},
       {{{28, 54}, {40, 52}, {40, 48}, {48, 46}}},
       {{{0, 0}, {0, 0}, {0, 0}, {0, 0}}}}},
     {{{{{-46, -42}, {-32, -32}, {-22, -24}, {-16, -18}}},
       {{{-32, -32}, {-18, -22}, {-8, -14}, {-2, -8}}},
       {{{-18, -20}, {-4, -10}, {6, -2}, {12, 4}}},
       {{{-8, -6}, {6, 4}, {16, 12}, {22, 18}}},
       {{{0, 0}, {14, 10}, {24, 18}, {30, 24}}},
       {{{4, -6}, {18, 4}, {28, 12}, {34, 18}}},
       {{{-12, -20}, {2, -10}, {12, -2}, {18, 4}}},
       {{{-68, -36}, {-54, -26}, {-44, -18}, {-38, -12}}}}},
     {{{{{-20, -16}, {-10, -12}, {-14, -10}, {-10, -8}}},
       {{{-2, -12}, {8, -8}, {4, -6}, {8, -4}}},
       {{{4, -4}, {14, 0}, {10, 2}, {14, 4}}},
       {{{2, 0}, {12, 4}, {8, 6}, {12, 8}}},
       {{{2, 2}, {12, 6}, {8, 8}, {12, 10}}},
       {{{6, -2}, {16, 2}, {12, 4}, {16, 6}}},
       {{{-14, -6}, {-4, -2}, {-8, 0}, {-4, 2}}},
       {{{-26, -12}, {-16, -8}, {-20, -6}, {-16, -4}}}}},
     {{{{{-10, -2}, {-8, -2}, {-2, -4}, {4, -6}}},
       {{{-20, -6}, {-18, -6}, {-12, -8}, {-6, -10}}},
       {{{-20, -4}, {-18, -4}, {-12, -6}, {-6, -8}}},
       {{{-14, 2}, {-12, 2}, {-6, 0}, {0, -2}}},
       {{{-2, 8}, {0, 8}, {6, 6}, {12, 4}}},
       {{{10, 8}, {12, 8}, {18, 6}, {24, 4}}},
       {{{20, 14}, {22, 14}, {28, 12}, {34, 10}}},
       {{{10, 12}, {12, 12}, {18, 10}, {24, 8}}}}},
     {{{{{-14, -38}, {-8, -32}, {-2, -24}, {-2, -18}}},
       {{{-6, -30}, {0, -24}, {6, -16}, {6, -10}}},
       {{{-8, -14}, {-2, -8}, {4, 0}, {4, 6}}},
       {{{-14, 2}, {-8, 8}, {-2, 16}, {-2, 22}}},
       {{{-12, 12}, {-6, 18}, {0, 26}, {0, 32}}},
       {{{0, 10}, {6, 16}, {12, 24}, {12, 30}}},
       {{{-12, 8}, {-6, 14}, {0, 22}, {0, 28}}},
       {{{-4, 0}, {2, 6}, {8, 14}, {8, 20}}}}},
     {{{{{24, -56}, {40, -38}, {12, -26}, {-6, -22}}},
       {{{8, -36}, {24, -18}, {-4, -6}, {-22, -2}}},
       {{{-18, -22}, {-2, -4}, {-30, 8}, {-48, 12}}},
       {{{-38, -10}, {-22, 8}, {-50, 20}, {-68, 24}}},
       {{{-34, 0}, {-18, 18}, {-46, 30}, {-64, 34}}},
       {{{-14, 4}, {2, 22}, {-26, 34}, {-44, 38}}},
       {{{-4, -4}, {12, 14}, {-16, 26}, {-34, 30}}},
       {{{-14, -34}, {2, -16}, {-26, -4}, {-44, 0}}}}}}};

/// By the number of squares a piece may go to: knight, bishop, rook, queen.
PARLEY_TUNABLE std::array<std::array<Tapered, 28>, 4> mobility{
    {{{{-32, -28}, {-24, -21}, {-16, -14}, {-8, -7}, {0, 0}, {8, 7}, {16, 14}, {24, 21}, {32, 28}}},
     {{{-42, -42},
       {-35, -35},
       {-28, -28},
       {-21, -21},
       {-14, -14},
       {-7, -7},
       {0, 0},
       {7, 7},
       {14, 14},
       {21, 21},
       {28, 28},
       {35, 35},
       {42, 42},
       {49, 49}}},
     {{{-24, -42},
       {-20, -35},
       {-16, -28},
       {-12, -21},
       {-8, -14},
       {-4, -7},
       {0, 0},
       {4, 7},
       {8, 14},
       {12, 21},
       {16, 28},
       {20, 35},
       {24, 42},
       {28, 49},
       {32, 56}}},
     {{{-36, -60}, {-33, -55}, {-30, -50}, {-27, -45}, {-24, -40}, {-21, -35}, {-18, -30},
       {-15, -25}, {-12, -20}, {-9, -15},  {-6, -10},  {-3, -5},   {0, 0},     {3, 5},
       {6, 10},    {9, 15},    {12, 20},   {15, 25},   {18, 30},   {21, 35},   {24, 40},
       {27, 45},   {30, 50},   {33, 55},   {36, 60},   {39, 65},   {42, 70},   {45, 75}}}}};

PARLEY_TUNABLE Tapered bishop_pair{26, 58};
PARLEY_TUNABLE Tapered rook_on_open_file{34, 10};
PARLEY_TUNABLE Tapered rook_on_half_open_file{14, 10};
PARLEY_TUNABLE Tapered knight_outpost{26, 18};
PARLEY_TUNABLE Tapered bishop_outpost{16, 8};

PARLEY_TUNABLE Tapered doubled_pawn{-6, -22};
PARLEY_TUNABLE Tapered isolated_pawn{-12, -14};
PARLEY_TUNABLE Tapered backward_pawn{-8, -10};
/// By rank: a pawn beside or guarded by another.
PARLEY_TUNABLE std::array<Tapered, 8> connected_pawn{
    {{0, 0}, {4, 0}, {8, 4}, {10, 8}, {20, 18}, {42, 44}, {70, 70}, {0, 0}}};
/// By rank: a pawn that no enemy pawn can stop any more.
PARLEY_TUNABLE std::array<Tapered, 8> passed_pawn{
    {{0, 0}, {-6, 12}, {-6, 18}, {-2, 42}, {24, 74}, {52, 128}, {100, 190}, {0, 0}}};
/// By rank: for each square that the enemy king is farther from the square before the pawn.
PARLEY_TUNABLE std::array<int, 8> passed_king_distance{0, 0, 1, 4, 8, 12, 14, 0};
PARLEY_TUNABLE Tapered blocked_passed_pawn{-8, -26};

PARLEY_TUNABLE Tapered threat_by_pawn{54, 32};
PARLEY_TUNABLE Tapered threat_by_minor{32, 30};
PARLEY_TUNABLE Tapered threat_by_rook{38, 20};
PARLEY_TUNABLE Tapered hanging_piece{16, 14};

/// For each enemy piece near the king, and for each square of its surroundings attacked.
PARLEY_TUNABLE std::array<int, 6> attacker_danger{0, 16, 12, 14, 12, 0};
PARLEY_TUNABLE int attacked_square_danger = 7;
PARLEY_TUNABLE std::array<int, 6> safe_check_danger{0, 26, 14, 28, 26, 0};
PARLEY_TUNABLE int no_queen_relief = 60;
PARLEY_TUNABLE int weak_shield_danger = 9;
/// By distance of the own pawn before the king: 1 and 2 are a shield, 0 is none.
PARLEY_TUNABLE std::array<Tapered, 3> shield_pawn{{{-22, 0}, {12, 0}, {4, 0}}};
PARLEY_TUNABLE Tapered open_file_at_king{-24, 2};

PARLEY_TUNABLE int tempo = 16;

}  // namespace engine::weights
