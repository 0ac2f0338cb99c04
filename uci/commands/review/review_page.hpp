#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "core/pgn.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/analysis/review/game_review.hpp"

namespace uci::commands {

/// Lines to search in the place of a mistake, so that most answers of a reader can be judged.
inline constexpr int lines_to_learn_from = 5;

/// Writes a page that shows reviewed games and needs nothing else: no network, no other file. The
/// files in page/ are its template.
class ReviewPage {
public:
    /// The language is that of explanations and of the page itself.
    ReviewPage(std::ostream& out, engine::explain::Language language);

    /// With a player, the board is seen from their side.
    void add(const core::AnnotatedGame& game,
             const std::vector<core::Game>& positions,
             const engine::review::GameReview& review,
             std::optional<core::Color> player);
    /// Completes the page; to be called once.
    void finish();

private:
    std::ostream& out_;
    engine::explain::Language language_;
    bool is_first_ = true;
};

/// The page of one game.
std::string review_page(const core::AnnotatedGame& game,
                        const std::vector<core::Game>& positions,
                        const engine::review::GameReview& review,
                        engine::explain::Language language);

}  // namespace uci::commands
