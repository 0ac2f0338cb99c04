#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "core/pgn.hpp"

#include "engine/analysis/explain/texts.hpp"
#include "engine/analysis/review/game_review.hpp"

#include "uci/json/web/limits.hpp"
#include "uci/json/web/review_service.hpp"
#include "uci/server/game_reviewer.hpp"

namespace uci::json::web {

/// What clients get of a review.
struct ReviewDocuments {
    std::string page;  ///< HTML, with a Content-Security-Policy
    std::string json;  ///< as `parley annotate --json` writes it
};

/// Writes a review. The positions are those of engine::review::positions_of().
using WriteReview = std::function<ReviewDocuments(const core::AnnotatedGame&,
                                                  const std::vector<core::Game>& positions,
                                                  const engine::review::GameReview&,
                                                  engine::explain::Language)>;

/// The reviews of a server's games: those under way, and the last ones as documents. Belongs to the
/// server's thread.
class GameReviews : public ReviewService {
public:
    /// `most_bytes` of documents are kept.
    GameReviews(server::SearchQueue& queue,
                WriteReview write,
                std::size_t most_bytes = max_review_bytes)
        : queue_{queue},
          write_{std::move(write)},
          max_bytes_{most_bytes} {}

    bool start(const ReviewRequest& request, Report report) override;
    bool has(const std::string& game_id) const override { return find(game_id) != nullptr; }
    void remove(const std::string& game_id) override;

    /// The review of a game; null when it is not finished or no longer kept.
    const ReviewDocuments* find(const std::string& game_id) const;

private:
    using Documents = std::list<std::pair<std::string, ReviewDocuments>>;

    void finish(const ReviewRequest& request,
                const Report& report,
                const engine::review::GameReview& review);
    void keep(const std::string& game_id, ReviewDocuments documents);
    void remove_documents(Documents::iterator documents);

    server::SearchQueue& queue_;
    WriteReview write_;
    std::size_t max_bytes_;
    std::size_t bytes_ = 0;
    std::map<std::string, std::shared_ptr<server::GameReviewer>> running_;
    Documents documents_;  ///< the oldest first
    std::map<std::string, Documents::iterator> by_game_;
};

}  // namespace uci::json::web
