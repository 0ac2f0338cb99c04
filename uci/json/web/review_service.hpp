#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/game.hpp"

#include "engine/analysis/explain/texts.hpp"

namespace uci::json::web {

/// A review that somebody wants.
struct ReviewRequest {
    std::string game_id;
    std::string client;  ///< as of net::client_key()
    core::Game game;     ///< with a move at least
    std::string result;  ///< "1-0", "0-1", "1/2-1/2" or "*"
    std::array<std::string, 2> players;
    engine::explain::Language language = engine::explain::Language::english;
};

/// How far a review is.
struct ReviewStatus {
    enum class State : unsigned char { running, ready };

    State state = State::running;
    bool explains = false;  ///< the mistakes; before that the positions are searched
    std::size_t done = 0;
    std::size_t total = 0;
    std::array<std::optional<double>, 2> accuracy;  ///< White's and Black's, in percent, when ready
};

/// Reviews games and keeps the reviews. Belongs to the server's thread.
class ReviewService {
public:
    using Report = std::function<void(const ReviewStatus&)>;

    ReviewService() = default;
    virtual ~ReviewService() = default;
    ReviewService(const ReviewService&) = delete;
    ReviewService& operator=(const ReviewService&) = delete;
    ReviewService(ReviewService&&) = delete;
    ReviewService& operator=(ReviewService&&) = delete;

    /// Begins a review; `report` is called later. False if there are too many searches.
    virtual bool start(const ReviewRequest& request, Report report) = 0;
    /// Whether the review of a game is finished and has been kept.
    virtual bool has(const std::string& game_id) const = 0;
    /// Ends a review, or forgets it.
    virtual void remove(const std::string& game_id) = 0;
};

}  // namespace uci::json::web
