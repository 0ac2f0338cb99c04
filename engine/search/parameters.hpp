#pragma once

#include <array>

#include "engine/tunable.hpp"

// All margins, depths and weights of the search: name, value, smallest and largest sensible value,
// and the step for SPSA (tools/match/spsa). Scores are centipawns, depths plies.
namespace engine::search::parameters {

// Aspiration windows: used from this depth on; the first one grows with the square of the score.
PARLEY_TUNABLE(aspiration_depth, 4, 2, 8, 1);
PARLEY_TUNABLE(aspiration_window, 18, 5, 40, 3);
PARLEY_TUNABLE(aspiration_score_divisor, 16'000, 4'000, 48'000, 2'000);

// Improving: also where the static evaluation has become worse by less than this.
PARLEY_TUNABLE(improving_margin, 11, -40, 60, 6);

// Whole-node pruning: reverse futility pruning, razoring, null move pruning and its verification;
// internal iterative reduction, hindsight reduction and extension.
PARLEY_TUNABLE(rfp_depth, 8, 4, 14, 1);
PARLEY_TUNABLE(rfp_margin, 39, 30, 140, 8);
PARLEY_TUNABLE(razoring_depth, 3, 1, 6, 1);
PARLEY_TUNABLE(razoring_base, 100, 60, 400, 25);
PARLEY_TUNABLE(razoring_margin, 125, 60, 320, 20);
PARLEY_TUNABLE(nmp_depth, 3, 2, 5, 1);
PARLEY_TUNABLE(nmp_base, 4, 2, 6, 1);
PARLEY_TUNABLE(nmp_depth_divisor, 3, 2, 7, 1);
PARLEY_TUNABLE(nmp_score_divisor, 185, 80, 400, 20);
PARLEY_TUNABLE(nmp_max_by_score, 3, 1, 6, 1);
PARLEY_TUNABLE(nmp_static_margin, 31, 0, 80, 8);
PARLEY_TUNABLE(nmp_single_piece_depth, 8, 4, 14, 1);
PARLEY_TUNABLE(nmp_verification_depth, 14, 8, 20, 1);
PARLEY_TUNABLE(iir_depth, 4, 2, 8, 1);
// Hindsight reduction: when the static evaluations before and after the move add up to more.
// Hindsight extension: after LMR of at least so many plies.
PARLEY_TUNABLE(hindsight_margin, 150, 40, 400, 20);
PARLEY_TUNABLE(hindsight_extension_reduction, 3, 2, 6, 1);

// Singular extension of the TT move.
PARLEY_TUNABLE(singular_depth, 5, 4, 10, 1);
PARLEY_TUNABLE(singular_tt_depth, 3, 2, 5, 1);
PARLEY_TUNABLE(singular_margin, 90, 20, 300, 20);  // in hundredths, for each ply of depth
PARLEY_TUNABLE(double_extension_margin, 15, 4, 50, 4);
PARLEY_TUNABLE(triple_extension_margin, 48, 20, 200, 8);  // in PV nodes for a double one
PARLEY_TUNABLE(max_double_extensions, 4, 2, 16, 1);

// Shallow pruning in the moves loop: late move pruning, futility, history, SEE.
PARLEY_TUNABLE(lmp_base, 3, 1, 8, 1);
PARLEY_TUNABLE(lmp_factor, 121, 50, 250, 12);  // in hundredths, for the square of the depth
PARLEY_TUNABLE(futility_depth, 7, 4, 14, 1);
PARLEY_TUNABLE(futility_base, 80, 30, 250, 15);
PARLEY_TUNABLE(futility_margin, 47, 30, 180, 10);
PARLEY_TUNABLE(history_pruning_margin, 4'200, 800, 8'000, 300);  // for each ply of depth
PARLEY_TUNABLE(see_pruning_depth, 11, 5, 14, 1);
PARLEY_TUNABLE(see_quiet_margin, 25, 10, 70, 4);
PARLEY_TUNABLE(see_noisy_margin, 116, 40, 180, 10);

// Late move reductions, in hundredths: base + ln(depth) * ln(move count) / divisor.
PARLEY_TUNABLE(lmr_base, 86, 0, 200, 10);
PARLEY_TUNABLE(lmr_divisor, 235, 120, 450, 15);
PARLEY_TUNABLE(lmr_noisy_base, 10, -50, 120, 10);
PARLEY_TUNABLE(lmr_noisy_divisor, 320, 160, 600, 20);
PARLEY_TUNABLE(lmr_history_divisor, 9'600, 3'000, 16'000, 800);
PARLEY_TUNABLE(lmr_deeper_margin, 50, 15, 120, 8);
PARLEY_TUNABLE(lmr_shallower_margin, 5, 0, 20, 2);

// Terms of late move reductions, in 1024ths of a ply; the cutoff term applies from a minimal cutoff
// count on.
PARLEY_TUNABLE(lmr_tt_pv, 1'100, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_check, 820, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_cut_node, 1'265, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_cutoff_count, 700, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_min_cutoff_count, 3, 1, 8, 1);
PARLEY_TUNABLE(lmr_not_improving, 910, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_noisy_tt_move, 620, 0, 2'500, 120);
PARLEY_TUNABLE(lmr_root, 620, 0, 1'500, 100);
// For each centipawn by which the correction histories change the static evaluation, and at most.
PARLEY_TUNABLE(lmr_correction, 12, 0, 50, 4);
PARLEY_TUNABLE(lmr_correction_max, 605, 0, 2'500, 120);

// Histories.
inline constexpr int history_limit = 16'384;
PARLEY_TUNABLE(history_bonus_factor, 280, 80, 320, 15);
PARLEY_TUNABLE(history_bonus_offset, 110, 0, 250, 15);
PARLEY_TUNABLE(history_bonus_max, 1'755, 800, 3'200, 150);
// A cutoff with a score so far above beta counts as one of a ply more.
PARLEY_TUNABLE(history_bonus_margin, 58, 15, 150, 10);
// For the move that led to a node, in hundredths of the bonus: after a TT cutoff, after a fail low,
// after one where a cutoff was expected.
PARLEY_TUNABLE(prior_move_malus, 58, 0, 200, 15);
PARLEY_TUNABLE(prior_move_bonus, 71, 0, 200, 15);
PARLEY_TUNABLE(prior_move_cut_node_bonus, 155, 0, 300, 20);

// What the continuation histories of one, two and four plies ago count for in a quiet move's score,
// in hundredths of what the butterfly history does.
PARLEY_TUNABLE(continuation_weight_1, 130, 0, 300, 15);
PARLEY_TUNABLE(continuation_weight_2, 100, 0, 300, 15);
PARLEY_TUNABLE(continuation_weight_4, 55, 0, 300, 15);

// Move ordering of quiet moves, in units of the histories: giving check, escaping from a lesser
// piece.
PARLEY_TUNABLE(check_bonus, 10'000, 2'000, 20'000, 1'000);
PARLEY_TUNABLE(escape_bonus, 14'000, 2'000, 24'000, 1'200);

// Fail high blending: a score above beta is drawn towards it. The weight of beta, in hundredths of
// that which the score has for each ply of depth.
PARLEY_TUNABLE(fail_high_beta_weight, 145, 0, 400, 30);

// The static evaluation's scale, in thousandths: without pieces, and what all pieces add.
PARLEY_TUNABLE(eval_scale_base, 820, 600, 1'200, 30);
PARLEY_TUNABLE(eval_scale_pieces, 200, 0, 500, 30);

// Correction histories of the static evaluation.
inline constexpr int correction_limit = 1'024;
PARLEY_TUNABLE(correction_divisor, 565, 256, 1'024, 48);
PARLEY_TUNABLE(pawn_correction_weight, 19, 8, 60, 4);
PARLEY_TUNABLE(piece_correction_weight, 34, 8, 60, 4);
PARLEY_TUNABLE(minor_correction_weight, 13, 4, 48, 3);
PARLEY_TUNABLE(correction_bonus_divisor, 6, 3, 14, 1);
PARLEY_TUNABLE(correction_bonus_max, 205, 96, 512, 24);

// Quiescence.
PARLEY_TUNABLE(qsearch_futility, 135, 60, 320, 16);
PARLEY_TUNABLE(qsearch_max_moves, 3, 1, 8, 1);

/// Piece values for static exchange evaluation: pawn, knight, bishop, rook, queen, king.
inline constexpr std::array<int, 6> see_value{100, 330, 345, 510, 1000, 0};

}  // namespace engine::search::parameters
