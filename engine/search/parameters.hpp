#pragma once

#include <array>

#include "engine/tunable.hpp"

// Every number that the search was tuned with: its name, value, the range it makes sense in, and
// the step in which a tuner tries; and the units of exchanges and histories, which nobody tunes.
// Scores are centipawns, depths plies.
namespace engine::parameters {

// Deepening: the first window around the last score, from this depth on; it grows with the square
// of the score.
PARLEY_TUNABLE(aspiration_depth, 4, 2, 8, 1);
PARLEY_TUNABLE(aspiration_window, 12, 5, 40, 3);
PARLEY_TUNABLE(aspiration_score_divisor, 16'000, 4'000, 48'000, 2'000);

// Whole-node pruning.
PARLEY_TUNABLE(reverse_futility_depth, 8, 4, 14, 1);
PARLEY_TUNABLE(reverse_futility_margin, 70, 30, 140, 8);
PARLEY_TUNABLE(razoring_depth, 3, 1, 6, 1);
PARLEY_TUNABLE(razoring_base, 180, 60, 400, 25);
PARLEY_TUNABLE(razoring_margin, 160, 60, 320, 20);
PARLEY_TUNABLE(null_move_depth, 3, 2, 5, 1);
PARLEY_TUNABLE(null_move_base, 4, 2, 6, 1);
PARLEY_TUNABLE(null_move_depth_divisor, 4, 2, 7, 1);
PARLEY_TUNABLE(null_move_score_divisor, 200, 80, 400, 20);
PARLEY_TUNABLE(null_move_most_by_score, 3, 1, 6, 1);
PARLEY_TUNABLE(null_move_slack, 20, 0, 80, 8);
PARLEY_TUNABLE(null_move_single_piece_depth, 8, 4, 14, 1);
PARLEY_TUNABLE(internal_reduction_depth, 4, 2, 8, 1);
PARLEY_TUNABLE(hindsight_margin, 150, 40, 400, 20);

// Singular extension of the table move.
PARLEY_TUNABLE(singular_depth, 7, 4, 10, 1);
PARLEY_TUNABLE(singular_table_depth, 3, 2, 5, 1);
PARLEY_TUNABLE(singular_margin, 110, 20, 300, 20);  // in hundredths, for each ply of depth
PARLEY_TUNABLE(double_extension_margin, 12, 4, 50, 4);
PARLEY_TUNABLE(most_double_extensions, 6, 2, 16, 1);

// Pruning inside the move loop.
PARLEY_TUNABLE(late_move_base, 3, 1, 8, 1);
PARLEY_TUNABLE(futility_depth, 8, 4, 14, 1);
PARLEY_TUNABLE(futility_base, 90, 30, 250, 15);
PARLEY_TUNABLE(futility_margin, 75, 30, 180, 10);
PARLEY_TUNABLE(history_pruning_depth, 4, 2, 8, 1);
PARLEY_TUNABLE(history_pruning_margin, 2'500, 800, 6'000, 300);
PARLEY_TUNABLE(see_pruning_depth, 9, 5, 14, 1);
PARLEY_TUNABLE(see_quiet_margin, 28, 10, 70, 4);
PARLEY_TUNABLE(see_noisy_margin, 95, 40, 180, 10);

// Late move reductions, in hundredths: base + ln(depth) * ln(move number) / divisor.
PARLEY_TUNABLE(reduction_base, 80, 0, 200, 10);
PARLEY_TUNABLE(reduction_divisor, 235, 120, 450, 15);
PARLEY_TUNABLE(noisy_reduction_base, 10, -50, 120, 10);
PARLEY_TUNABLE(noisy_reduction_divisor, 340, 160, 600, 20);
PARLEY_TUNABLE(reduction_history_divisor, 8'200, 3'000, 16'000, 800);
PARLEY_TUNABLE(deeper_margin, 50, 15, 120, 8);
PARLEY_TUNABLE(shallower_margin, 4, 0, 20, 2);

// What is added to reductions or taken away, in 1024ths of a ply; cutoffs count from so many on.
PARLEY_TUNABLE(reduction_on_pv, 1'024, 0, 2'500, 120);
PARLEY_TUNABLE(reduction_check, 1'024, 0, 2'500, 120);
PARLEY_TUNABLE(reduction_cut_node, 1'024, 0, 2'500, 120);
PARLEY_TUNABLE(reduction_cutoffs, 700, 0, 2'500, 120);
PARLEY_TUNABLE(many_cutoffs, 3, 1, 8, 1);
PARLEY_TUNABLE(reduction_not_improving, 1'024, 0, 2'500, 120);
PARLEY_TUNABLE(reduction_noisy_table_move, 500, 0, 2'500, 120);
PARLEY_TUNABLE(reduction_killer, 1'024, 0, 2'500, 120);

// Histories.
inline constexpr int history_limit = 16'384;
PARLEY_TUNABLE(history_bonus_factor, 170, 80, 320, 15);
PARLEY_TUNABLE(history_bonus_offset, 90, 0, 250, 15);
PARLEY_TUNABLE(history_bonus_most, 1'700, 800, 3'200, 150);
PARLEY_TUNABLE(refuted_malus, 60, 0, 200, 15);  // in hundredths of the bonus

// What quiet moves are tried earlier for, in units of the histories.
PARLEY_TUNABLE(check_bonus, 10'000, 2'000, 20'000, 1'000);
PARLEY_TUNABLE(escape_bonus, 12'000, 2'000, 24'000, 1'200);

// Corrections of the static evaluation.
inline constexpr int correction_limit = 1'024;
PARLEY_TUNABLE(correction_divisor, 512, 256, 1'024, 48);
PARLEY_TUNABLE(pawn_correction_weight, 26, 8, 60, 4);
PARLEY_TUNABLE(piece_correction_weight, 26, 8, 60, 4);
PARLEY_TUNABLE(minor_correction_weight, 16, 4, 48, 3);
PARLEY_TUNABLE(correction_bonus_divisor, 6, 3, 14, 1);
PARLEY_TUNABLE(correction_bonus_most, 256, 96, 512, 24);

// Quiescence.
PARLEY_TUNABLE(quiescence_futility, 160, 60, 320, 16);
PARLEY_TUNABLE(quiescence_moves, 3, 1, 8, 1);

/// What a piece is worth in exchanges: pawn, knight, bishop, rook, queen, king.
inline constexpr std::array<int, 6> exchange_value{100, 330, 345, 510, 1000, 0};

}  // namespace engine::parameters
