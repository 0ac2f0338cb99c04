#include "uci/net/play/thinker.hpp"

#include <algorithm>
#include <utility>

#include "uci/net/play/limits.hpp"

namespace uci::net::play {

namespace {

using engine::Milliseconds;

std::chrono::steady_clock::time_point now() {
    return std::chrono::steady_clock::now();
}

}  // namespace

Thinker::Thinker(engine::GeneralInterface& engine, boost::asio::io_context& io)
    : engine_{engine},
      turn_{io} {}

bool Thinker::think(Task task) {
    if (tasks_.size() >= most_waiting_games)
        return false;
    tasks_.push_back(std::move(task));
    if (analysis_)
        stop();
    if (task_ && tasks_.size() == 1)
        limit_turn();
    go_on();
    return true;
}

bool Thinker::analyse(const std::string& name, core::Game game, Tell tell) {
    forget(name);
    if (analyses_.size() >= most_analyses)
        return false;
    const auto analysis = std::make_shared<Analysis>(
        Analysis{name, std::move(game), std::move(tell), longest_analysis});
    analyses_[name] = analysis;
    turns_.push_back(analysis);
    if (analysis_ && turn_length_ > analysis_turn)
        stop();
    go_on();
    return true;
}

void Thinker::forget(const std::string& name) {
    const auto found = analyses_.find(name);
    if (found == analyses_.end())
        return;
    const auto analysis = found->second;
    analyses_.erase(found);
    turns_.erase(std::remove(turns_.begin(), turns_.end(), analysis), turns_.end());
    analysis->tell = nullptr;
    if (analysis_ == analysis)
        stop();
}

void Thinker::take(const engine::Response& response) {
    if (const auto* info = std::get_if<engine::Info>(&response))
        hear(*info);
    else if (const auto* best = std::get_if<engine::BestMove>(&response))
        finish(*best);
}

void Thinker::go_on() {
    if (task_ || analysis_)
        return;
    if (!tasks_.empty())
        begin_task();
    else if (!turns_.empty())
        begin_analysis();
}

void Thinker::begin_task() {
    task_ = std::move(tasks_.front());
    tasks_.pop_front();
    go(task_->game, task_->limits);
    if (!tasks_.empty())
        limit_turn();
}

void Thinker::begin_analysis() {
    analysis_ = turns_.front();
    turns_.pop_front();
    turn_length_ = turns_.empty() ? analysis_->left : std::min(analysis_->left, analysis_turn);
    heard_.reset();
    engine::Limits limits;
    limits.move_time = turn_length_;
    go(analysis_->game, limits);
}

void Thinker::go(const core::Game& game, engine::Limits limits) {
    stopped_ = false;
    began_ = limits.arrival = now();
    engine_.set_game(game);
    engine_.go(std::move(limits));
}

void Thinker::stop() {
    if (!std::exchange(stopped_, true))
        engine_.stop();
}

/// Ends the running search in good time, now that others wait.
void Thinker::limit_turn() {
    turn_.expires_at(began_ + longest_turn);
    turn_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled && task_ && now() >= began_ + longest_turn)
            stop();
    });
}

void Thinker::hear(const engine::Info& info) {
    if (!analysis_ || !analysis_->tell || info.bound != engine::Bound::exact)
        return;
    // A new turn begins from the first depth, of which more was known before.
    if (info.line_number != 1 || info.depth < analysis_->depth_told)
        return;
    heard_ = info;
    if (now() - told_ >= between_reports)
        tell();
}

void Thinker::tell() {
    const auto info = std::exchange(heard_, std::nullopt);
    if (!info || !analysis_->tell)
        return;
    analysis_->depth_told = info->depth;
    told_ = now();
    analysis_->tell(*info);
}

void Thinker::finish(const engine::BestMove& best) {
    turn_.cancel();
    if (analysis_)
        finish_analysis();
    if (const auto task = std::exchange(task_, std::nullopt))
        task->done(best);
    go_on();
}

void Thinker::finish_analysis() {
    tell();
    const auto analysis = std::exchange(analysis_, nullptr);
    const auto took = std::chrono::duration_cast<Milliseconds>(now() - began_);
    // What ended before its time has nothing left to find out.
    const bool is_through = !stopped_ && took < turn_length_ * 9 / 10;
    analysis->left -= std::max(took, Milliseconds{1});
    if (!analysis->tell)
        return;
    if (!is_through && analysis->left > Milliseconds::zero())
        turns_.push_back(analysis);
    else
        analyses_.erase(analysis->name);
}

}  // namespace uci::net::play
