#pragma once

#include <array>

#include "engine/evaluate/tapered.hpp"
#include "engine/tunable.hpp"

// What each feature of a position is worth: middlegame and endgame, in centipawns. Tuned on
// Parley's own games by tools/train/weights/tune_weights.cpp.
namespace engine::weights {

/// Pawn, knight, bishop, rook, queen, king.
PARLEY_TUNABLE std::array<Tapered, 6> material{
    {{78, 106}, {299, 336}, {338, 342}, {402, 598}, {1019, 988}, {0, 0}}};

/// How much of the middlegame a piece stands for; 24 at the start of a game.
inline constexpr std::array<int, 6> phase{0, 1, 1, 2, 4, 0};
inline constexpr int full_phase = 24;

/// By rank from a piece's own side and by file counted from the edge (a and h, b and g, c and f,
/// d and e), for each piece type.
PARLEY_TUNABLE std::array<std::array<std::array<Tapered, 4>, 8>, 6> piece_square{
    {{{{{{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
       {{{-14, 7}, {3, 6}, {-3, -5}, {-4, 3}}},
       {{{-17, 1}, {-7, 3}, {-9, -3}, {-6, -1}}},
       {{{-9, 5}, {-6, -1}, {0, -9}, {7, -6}}},
       {{{-3, 8}, {6, 1}, {6, -15}, {8, 0}}},
       {{{17, 18}, {18, 30}, {15, 21}, {22, 3}}},
       {{{53, 8}, {22, 29}, {30, 68}, {37, 48}}},
       {{{0, 0}, {0, 0}, {0, 0}, {0, 0}}}}},
     {{{{{-19, -45}, {-32, -12}, {-38, -31}, {-7, -10}}},
       {{{-21, -18}, {-3, -14}, {-15, -1}, {-7, -6}}},
       {{{-23, -17}, {-12, 2}, {1, -11}, {7, 4}}},
       {{{3, -9}, {7, -14}, {10, 11}, {15, 25}}},
       {{{19, 13}, {6, -6}, {30, -1}, {24, 27}}},
       {{{19, -3}, {-3, -12}, {22, 25}, {16, 15}}},
       {{{-22, -8}, {3, -18}, {-1, -9}, {2, -4}}},
       {{{-63, -28}, {-44, -18}, {-44, -22}, {-40, -3}}}}},
     {{{{{-7, -44}, {-5, 1}, {-11, -11}, {2, -2}}},
       {{{-9, -9}, {13, -18}, {2, -2}, {4, -2}}},
       {{{3, -16}, {13, -17}, {5, 19}, {3, 3}}},
       {{{-4, 6}, {14, 1}, {6, 23}, {8, 26}}},
       {{{-2, -8}, {17, 9}, {21, 7}, {13, 14}}},
       {{{12, -5}, {0, 16}, {6, 4}, {30, 1}}},
       {{{-34, -12}, {-4, 2}, {-5, 12}, {-7, 0}}},
       {{{-30, -13}, {-14, -9}, {-29, -11}, {-16, -2}}}}},
     {{{{{-11, -8}, {-9, -6}, {0, -11}, {0, -15}}},
       {{{-30, -18}, {-19, 3}, {-17, -3}, {-5, -26}}},
       {{{-6, -10}, {-10, 0}, {-13, -4}, {-10, -15}}},
       {{{-20, -3}, {-16, 6}, {0, 1}, {-4, -15}}},
       {{{-20, 32}, {-13, 22}, {-8, 27}, {11, 12}}},
       {{{11, 11}, {-2, 23}, {3, 14}, {41, 4}}},
       {{{19, 22}, {21, 25}, {8, 25}, {35, 10}}},
       {{{12, 13}, {22, 28}, {14, 5}, {28, 11}}}}},
     {{{{{-2, -39}, {-24, -23}, {-13, -43}, {-8, -30}}},
       {{{-5, -18}, {15, -30}, {3, -35}, {-3, -32}}},
       {{{-6, -18}, {-4, -19}, {-6, -23}, {-3, -2}}},
       {{{-17, 17}, {3, 1}, {-13, 13}, {-9, 22}}},
       {{{-13, 20}, {-14, 9}, {19, 41}, {10, 35}}},
       {{{1, 15}, {1, 21}, {2, 40}, {30, 45}}},
       {{{-6, 13}, {-19, 13}, {19, 40}, {10, 49}}},
       {{{-3, 5}, {-7, 13}, {11, 20}, {17, 31}}}}},
     {{{{{5, -51}, {23, -49}, {-3, -45}, {-7, -39}}},
       {{{-11, -34}, {11, -21}, {-10, -19}, {-29, -15}}},
       {{{-21, -33}, {0, -16}, {-18, -5}, {-45, 9}}},
       {{{-37, -24}, {-19, 6}, {-36, 12}, {-61, 19}}},
       {{{-35, 7}, {-20, 11}, {-44, 35}, {-57, 37}}},
       {{{-14, 1}, {3, 18}, {-23, 25}, {-38, 40}}},
       {{{13, 43}, {10, 22}, {-21, 7}, {-31, 15}}},
       {{{-2, 1}, {17, 24}, {-19, 21}, {-44, 5}}}}}}};

/// By the number of squares a piece may go to: knight, bishop, rook, queen.
PARLEY_TUNABLE std::array<std::array<Tapered, 28>, 4> mobility{
    {{{{-44, -22}, {-29, -28}, {-10, -8}, {-9, 4}, {1, 13}, {6, 23}, {15, 23},
       {20, 20},   {13, 10},   {0, 0},    {0, 0},  {0, 0},  {0, 0},  {0, 0},
       {0, 0},     {0, 0},     {0, 0},    {0, 0},  {0, 0},  {0, 0},  {0, 0},
       {0, 0},     {0, 0},     {0, 0},    {0, 0},  {0, 0},  {0, 0},  {0, 0}}},
     {{{-47, -64}, {-24, -37}, {-16, -19}, {-16, -5}, {-8, 8},  {-3, 11}, {1, 16},
       {2, 27},    {5, 25},    {5, 26},    {14, 19},  {32, 19}, {26, 13}, {57, 28},
       {0, 0},     {0, 0},     {0, 0},     {0, 0},    {0, 0},   {0, 0},   {0, 0},
       {0, 0},     {0, 0},     {0, 0},     {0, 0},    {0, 0},   {0, 0},   {0, 0}}},
     {{{-52, -72}, {-14, -37}, {-1, -33}, {-5, -17}, {0, 5},  {-4, 10}, {-1, 23},
       {5, 20},    {2, 25},    {7, 30},   {3, 40},   {4, 44}, {12, 46}, {12, 50},
       {21, 50},   {0, 0},     {0, 0},    {0, 0},    {0, 0},  {0, 0},   {0, 0},
       {0, 0},     {0, 0},     {0, 0},    {0, 0},    {0, 0},  {0, 0},   {0, 0}}},
     {{{-31, -59}, {-30, -53}, {-27, -52}, {-21, -45}, {-17, -42}, {-11, -28}, {-11, -27},
       {-6, -32},  {-4, -25},  {0, -14},   {4, -5},    {2, 19},    {4, 17},    {6, 23},
       {8, 35},    {6, 35},    {10, 42},   {5, 45},    {12, 50},   {16, 48},   {17, 40},
       {25, 42},   {28, 46},   {14, -8},   {31, 53},   {23, 14},   {42, 69},   {37, 52}}}}};

PARLEY_TUNABLE Tapered bishop_pair{9, 74};
PARLEY_TUNABLE Tapered rook_on_open_file{47, 3};
PARLEY_TUNABLE Tapered rook_on_half_open_file{17, 20};
PARLEY_TUNABLE Tapered knight_outpost{18, 16};
PARLEY_TUNABLE Tapered bishop_outpost{22, 7};
/// For each own pawn on the colour of a bishop's squares.
PARLEY_TUNABLE Tapered pawn_on_bishop_color{-4, 2};
PARLEY_TUNABLE Tapered minor_behind_pawn{3, 13};

PARLEY_TUNABLE Tapered doubled_pawn{-4, -23};
PARLEY_TUNABLE Tapered isolated_pawn{-6, -10};
PARLEY_TUNABLE Tapered backward_pawn{1, -5};
/// By rank: a pawn beside or guarded by another.
PARLEY_TUNABLE std::array<Tapered, 8> connected_pawn{
    {{0, 0}, {3, 1}, {12, 2}, {11, 11}, {17, 25}, {54, 33}, {69, 53}, {0, 0}}};
/// By rank: a pawn that no enemy pawn can stop any more.
PARLEY_TUNABLE std::array<Tapered, 8> passed_pawn{
    {{0, 0}, {-11, 5}, {-9, 24}, {-4, 33}, {11, 46}, {29, 61}, {86, 100}, {0, 0}}};
/// By rank, in the endgame: for each step from a king to the square before a passed pawn.
PARLEY_TUNABLE std::array<int, 8> passed_enemy_king{{0, 0, 0, 11, 21, 34, 40, 0}};
PARLEY_TUNABLE std::array<int, 8> passed_own_king{{0, 0, 0, -9, -10, -12, -11, 0}};
/// By rank: a passed pawn that can go on without being taken, and one whose next square its own
/// side guards.
PARLEY_TUNABLE std::array<Tapered, 8> free_passed_pawn{
    {{0, 0}, {-8, 12}, {-7, 3}, {-9, 19}, {6, 26}, {12, 44}, {2, 68}, {0, 0}}};
PARLEY_TUNABLE std::array<Tapered, 8> guided_passed_pawn{
    {{0, 0}, {5, -17}, {9, -10}, {0, -1}, {7, 2}, {22, 18}, {21, 48}, {0, 0}}};
PARLEY_TUNABLE Tapered blocked_passed_pawn{-1, -7};

PARLEY_TUNABLE Tapered threat_by_pawn{64, 46};
PARLEY_TUNABLE Tapered threat_by_minor{49, 27};
PARLEY_TUNABLE Tapered threat_by_rook{55, 19};
/// A minor piece attacks another one that no pawn guards.
PARLEY_TUNABLE Tapered minor_against_minor{15, 26};
/// A pawn can attack a piece by a safe step.
PARLEY_TUNABLE Tapered threat_of_pawn{19, 10};
PARLEY_TUNABLE Tapered hanging_pawn{17, 40};
PARLEY_TUNABLE Tapered hanging_piece{13, 23};

/// For each enemy piece near the king, and for each square of its surroundings attacked.
PARLEY_TUNABLE std::array<int, 6> attacker_danger{{0, 11, 11, 18, 5, 0}};
PARLEY_TUNABLE int attacked_square_danger = 4;
PARLEY_TUNABLE std::array<int, 6> safe_check_danger{{0, 45, 32, 39, 39, 0}};
PARLEY_TUNABLE int no_queen_relief = 49;
PARLEY_TUNABLE int weak_shield_danger = 11;
/// By how many ranks the nearest own pawn and the nearest enemy pawn are before the king, on its
/// file and those beside it; 0 is none.
PARLEY_TUNABLE std::array<Tapered, 8> shield_pawn{
    {{-31, 19}, {3, 3}, {-4, -4}, {-19, -4}, {-19, -8}, {-9, 2}, {-16, 1}, {-22, 0}}};
PARLEY_TUNABLE std::array<Tapered, 8> storm_pawn{
    {{-7, 12}, {18, 12}, {-9, -9}, {-2, -3}, {-3, 6}, {2, -7}, {-1, -1}, {0, 0}}};
PARLEY_TUNABLE Tapered open_file_at_king{-12, -24};

PARLEY_TUNABLE int tempo = 17;

/// How much of an endgame advantage can be won, out of 64: without pawns, and when the pieces
/// ahead are not even a rook; with bishops of opposite colours alone and with others; otherwise,
/// for no pawn and for each.
PARLEY_TUNABLE int pawnless_scale = 4;
PARLEY_TUNABLE int hopeless_scale = 0;
PARLEY_TUNABLE int opposite_bishops_scale = 26;
PARLEY_TUNABLE int opposite_bishops_and_pieces_scale = 49;
PARLEY_TUNABLE int scale_without_pawns = 20;
PARLEY_TUNABLE int scale_per_pawn = 21;

}  // namespace engine::weights
