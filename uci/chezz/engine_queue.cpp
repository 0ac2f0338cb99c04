#include "uci/chezz/engine_queue.hpp"

#include <algorithm>
#include <utility>

namespace uci::chezz {

EngineQueue::Milliseconds EngineQueue::share(Milliseconds wish, std::size_t games) {
    const Milliseconds fair{Limits::engine_round.count() / static_cast<std::int64_t>(games)};
    return std::min(wish, std::max(fair, Limits::shortest_thought));
}

bool EngineQueue::ask(const core::Game& game, Milliseconds wish, Done done) {
    if (is_full())
        return false;
    waiting_.push_back({game, wish, std::move(done)});
    if (waiting_.size() == 1)
        begin();
    return true;
}

void EngineQueue::begin() {
    if (left_in_round_ == 0)
        left_in_round_ = in_round_ = waiting_.size();
    --left_in_round_;
    const Request& request = waiting_.front();
    engine::Limits limits;
    limits.move_time = share(request.wish, in_round_);
    engine_.set_game(request.game);
    engine_.go(std::move(limits));
}

void EngineQueue::take(const engine::Response& response) {
    const auto* best = std::get_if<engine::BestMove>(&response);
    if (!best || waiting_.empty())
        return;
    const Done done = std::move(waiting_.front().done);
    waiting_.pop_front();
    if (!waiting_.empty())
        begin();
    done(best->move);
}

}  // namespace uci::chezz
