#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/pgn.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/analysis/review/game_review.hpp"

namespace uci::commands {

// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

/// A score for White: "eval" in pawns, or "mate" in moves.
void add_score(Json& json, engine::Score score);

/// Percent, rounded to a tenth.
double rounded(double percent);

/// A move in coordinates, castling as the king's move.
std::string uci_of(core::Move move);

/// Tags, result, opening and accuracies.
Json json_of_game(const core::AnnotatedGame& game, const engine::review::GameReview& review);

/// A game with the review of its moves, on one line. The language is that of explanations.
std::string review_as_json(const core::AnnotatedGame& game,
                           const std::vector<core::Game>& positions,
                           const engine::review::GameReview& review,
                           engine::explain::Language language);

/// The text of a JSON value. What is not UTF-8 is replaced.
std::string text_of(const Json& json);

}  // namespace uci::commands
