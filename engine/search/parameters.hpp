#pragma once

#include <array>

// Every number that the search was tuned with. Scores are centipawns, depths plies.
namespace engine::parameters {

// Deepening: the first window around the last score, from this depth on.
inline constexpr int aspiration_depth = 4;
inline constexpr int aspiration_window = 12;

// Whole-node pruning.
inline constexpr int reverse_futility_depth = 8;
inline constexpr int reverse_futility_margin = 70;
inline constexpr int razoring_depth = 3;
inline constexpr int razoring_base = 180;
inline constexpr int razoring_margin = 160;
inline constexpr int null_move_depth = 3;
inline constexpr int null_move_base = 4;
inline constexpr int null_move_depth_divisor = 4;
inline constexpr int null_move_score_divisor = 200;
inline constexpr int null_move_most_by_score = 3;
inline constexpr int internal_reduction_depth = 4;

// Singular extension of the table move.
inline constexpr int singular_depth = 7;
inline constexpr int singular_table_depth = 3;
inline constexpr int double_extension_margin = 16;
inline constexpr int most_double_extensions = 6;

// Pruning inside the move loop.
inline constexpr int late_move_base = 3;
inline constexpr int futility_depth = 8;
inline constexpr int futility_base = 90;
inline constexpr int futility_margin = 75;
inline constexpr int history_pruning_depth = 4;
inline constexpr int history_pruning_margin = 2'500;
inline constexpr int see_pruning_depth = 9;
inline constexpr int see_quiet_margin = 28;
inline constexpr int see_noisy_margin = 95;

// Late move reductions: base + ln(depth) * ln(move number) / divisor.
inline constexpr double reduction_base = 0.80;
inline constexpr double reduction_divisor = 2.35;
inline constexpr double noisy_reduction_base = 0.10;
inline constexpr double noisy_reduction_divisor = 3.40;
inline constexpr int reduction_history_divisor = 8'200;
inline constexpr int deeper_margin = 50;

// Histories.
inline constexpr int history_limit = 16'384;
inline constexpr int history_bonus_factor = 170;
inline constexpr int history_bonus_offset = 90;
inline constexpr int history_bonus_most = 1'700;

// What quiet moves are tried earlier for, in units of the histories.
inline constexpr int check_bonus = 10'000;
inline constexpr int escape_bonus = 12'000;

// Corrections of the static evaluation.
inline constexpr int correction_limit = 1'024;
inline constexpr int correction_divisor = 512;
inline constexpr int pawn_correction_weight = 26;
inline constexpr int piece_correction_weight = 26;
inline constexpr int minor_correction_weight = 16;
inline constexpr int correction_bonus_divisor = 6;
inline constexpr int correction_bonus_most = 256;

// Quiescence.
inline constexpr int quiescence_futility = 160;
inline constexpr int quiescence_moves = 3;

/// What a piece is worth in exchanges: pawn, knight, bishop, rook, queen, king.
inline constexpr std::array<int, 6> exchange_value{100, 330, 345, 510, 1000, 0};

}  // namespace engine::parameters
