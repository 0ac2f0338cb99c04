#pragma once

#include <string>

#include "core/pgn.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/analysis/review/game_review.hpp"

namespace engine::review {

/// A score as PGN's [%eval ...] has it: "0.34" in pawns for White, or "#-3" for mate in 3 moves.
std::string eval_text(Score score);

struct AnnotationRules {
    std::string annotator;       ///< for the tag, if the game has none
    bool replace_evals = false;  ///< of other programs; else they stay, and ours are left out
    std::size_t max_variation_plies = 10;  ///< of each better line
    /// How many better lines a move gets; all but the best one have an [%eval ...].
    std::size_t max_variations = 1;
    explain::Language language = explain::Language::english;  ///< of explanations
};

/// Writes a review into its game: [%eval ...] before each comment, a NAG for inaccuracies, mistakes
/// and blunders, their explanations behind the comments, a better line as a variation, the tags
/// WhiteAccuracy and BlackAccuracy, and, where they are absent, Annotator, ECO and Opening.
/// Everything else stays as it is.
void annotate(core::AnnotatedGame& game, const GameReview& review, const AnnotationRules& rules);

}  // namespace engine::review
