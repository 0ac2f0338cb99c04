#include "uci/json/web/game_reviews.hpp"

#include <utility>

#include "core/fen.hpp"

namespace uci::json::web {

namespace {

core::AnnotatedGame annotated_game(const ReviewRequest& request) {
    core::AnnotatedGame game;
    game.tags = {{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "-"}};
    game.tags.emplace_back("White", request.players[0]);
    game.tags.emplace_back("Black", request.players[1]);
    game.tags.emplace_back("Result", request.result);
    const auto& start = request.game.start();
    if (core::fen(start) != core::fen(core::Position::start())) {
        game.tags.emplace_back("SetUp", "1");
        game.tags.emplace_back("FEN", core::fen(start));
    }
    game.start = start;
    for (const auto move : request.game.moves())
        game.elements.push_back({move});
    game.result = request.result;
    return game;
}

std::size_t size_of(const ReviewDocuments& documents) {
    return documents.page.size() + documents.json.size();
}

}  // namespace

bool GameReviews::start(const ReviewRequest& request, Report report) {
    remove(request.game_id);
    server::ReviewLimits limits;
    limits.nodes = review_nodes;
    auto reviewer = std::make_shared<server::GameReviewer>(queue_, request.game, request.game_id,
                                                           request.client, limits);
    const auto progress = [report](const server::GameReviewer::Progress& done) {
        report({ReviewStatus::State::running, done.explains, done.done, done.total, {}});
    };
    const auto done = [this, request, report](const engine::review::GameReview& review) {
        finish(request, report, review);
    };
    if (reviewer->start(progress, done))
        return false;
    running_[request.game_id] = std::move(reviewer);
    return true;
}

void GameReviews::finish(const ReviewRequest& request,
                         const Report& report,
                         const engine::review::GameReview& review) {
    // It calls this function: it lives until that returns.
    const auto reviewer = running_.extract(request.game_id);
    const auto game = annotated_game(request);
    keep(request.game_id,
         write_(game, engine::review::positions_of(game), review, request.language));
    report({ReviewStatus::State::ready, false, 0, 0, review.accuracy});
}

void GameReviews::remove(const std::string& game_id) {
    running_.erase(game_id);
    if (const auto found = by_game_.find(game_id); found != by_game_.end())
        remove_documents(found->second);
}

const ReviewDocuments* GameReviews::find(const std::string& game_id) const {
    const auto found = by_game_.find(game_id);
    return found == by_game_.end() ? nullptr : &found->second->second;
}

void GameReviews::keep(const std::string& game_id, ReviewDocuments documents) {
    bytes_ += size_of(documents);
    by_game_[game_id] = documents_.insert(documents_.end(), {game_id, std::move(documents)});
    while (bytes_ > max_bytes_ && documents_.size() > 1)
        remove_documents(documents_.begin());
}

void GameReviews::remove_documents(Documents::iterator documents) {
    bytes_ -= size_of(documents->second);
    by_game_.erase(documents->first);
    documents_.erase(documents);
}

}  // namespace uci::json::web
