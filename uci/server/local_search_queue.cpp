#include "uci/server/local_search_queue.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/movegen.hpp"
#include "core/notation.hpp"

namespace uci::server {

namespace {

using engine::Milliseconds;

/// A search that is continued for less than this would find nothing new.
constexpr Milliseconds min_resumed_time{10};

std::chrono::steady_clock::time_point now() {
    return std::chrono::steady_clock::now();
}

/// The clock of the player to move has run since the limits were made.
void subtract_wait(engine::Limits& limits, core::Color player, engine::TimePoint now) {
    auto& time = limits.clocks[index_of(player)].time;
    if (time)
        *time -= std::chrono::duration_cast<Milliseconds>(now - limits.arrival);
}

/// Whether a search with these limits finds the same each time, if the time for it suffices.
bool is_reproducible(const engine::Limits& limits) {
    return limits.nodes || limits.depth || limits.elo;
}

}  // namespace

LocalSearchQueue::LocalSearchQueue(engine::GeneralInterface& engine,
                                   SearchQueuePolicy policy,
                                   WakeAt wake_at)
    : engine_{engine},
      policy_{policy},
      wake_at_{std::move(wake_at)} {}

std::optional<LocalSearchQueue::JobId> LocalSearchQueue::submit(SearchJob job,
                                                                Done done,
                                                                Report report) {
    const bool is_player = job.priority == Priority::player;
    assert(is_player || job.limits.movetime);
    if (is_full(job.priority, job.client, job.quota)) {
        ++totals_.refused;
        return std::nullopt;
    }
    ++totals_.submitted;
    if (job.salt == 0)
        job.salt = salt_of(job);
    auto entry = std::make_shared<Entry>();
    const JobId id = entry->id = ++last_id_;
    entry->job = std::move(job);
    entry->done = std::move(done);
    entry->report = std::move(report);
    (is_player ? players_ : analyses_).push_back(std::move(entry));
    if (running_ && running_->job.priority == Priority::analysis
        && (is_player || slice_ > policy_.analysis_slice))
        preempt();
    else if (running_ && is_player)
        limit_running_player();
    start_next();
    return id;
}

void LocalSearchQueue::cancel(JobId id) {
    if (running_ && running_->id == id) {
        running_->is_cancelled = true;
        // Free at once what the callbacks hold.
        running_->done = nullptr;
        running_->report = nullptr;
        interrupt(Interruption::preempted);
    }
    else if (remove_waiting(id)) {
        call_retries(Priority::player);
    }
}

void LocalSearchQueue::stop(JobId id) {
    if (running_ && running_->id == id) {
        running_->is_stopped = true;
        interrupt(Interruption::preempted);
        return;
    }
    const auto entry = remove_waiting(id);
    if (!entry)
        return;
    entry->is_stopped = true;
    if (entry->has_result || entry->job.priority == Priority::analysis) {
        finish(entry);
        call_retries(Priority::player);
        return;
    }
    // It has not begun: let it search for the shortest time, so that it has a move.
    entry->job.limits.movetime = Milliseconds{1};
    players_.push_front(entry);
}

/// Removes a job that is not running from its queue and returns it; null when there is none.
LocalSearchQueue::EntryPtr LocalSearchQueue::remove_waiting(JobId id) {
    for (Entries* const entries : {&players_, &analyses_}) {
        const auto found = std::find_if(entries->begin(), entries->end(),
                                        [id](const EntryPtr& entry) { return entry->id == id; });
        if (found == entries->end())
            continue;
        EntryPtr entry = std::move(*found);
        entries->erase(found);
        left_in_round_ = std::min(left_in_round_, players_.size());
        return entry;
    }
    return nullptr;
}

bool LocalSearchQueue::is_full(Priority priority, const std::string& client, Quota quota) const {
    const bool is_full = priority == Priority::player
                           ? players_.size() >= policy_.max_waiting_players
                           : count_analyses() >= policy_.max_analyses;
    return is_full
        || (!client.empty() && count_jobs_of(client, quota) >= policy_.max_jobs_of_client(quota));
}

std::size_t LocalSearchQueue::count_analyses() const {
    const bool runs =
        running_ && running_->job.priority == Priority::analysis && !running_->is_cancelled;
    return analyses_.size() + (runs ? 1 : 0);
}

std::size_t LocalSearchQueue::count_jobs_of(const std::string& client, Quota quota) const {
    const auto is_of_client = [&](const EntryPtr& entry) {
        return entry->job.client == client && entry->job.quota == quota;
    };
    const auto count = std::count_if(players_.begin(), players_.end(), is_of_client)
                     + std::count_if(analyses_.begin(), analyses_.end(), is_of_client)
                     + (running_ && !running_->is_cancelled && is_of_client(running_) ? 1 : 0);
    return static_cast<std::size_t>(count);
}

SearchStatistics LocalSearchQueue::statistics() const {
    SearchStatistics statistics = totals_;
    statistics.running = running_ ? 1 : 0;
    statistics.waiting_players = players_.size();
    statistics.waiting_analyses = analyses_.size();
    return statistics;
}

void LocalSearchQueue::start_next() {
    if (running_)
        return;
    if (!players_.empty())
        start_player();
    else if (!analyses_.empty())
        start_analysis();
    call_retries(Priority::player);
    // Not when an analysis is cancelled: its game may continue with another position first.
    call_retries(Priority::analysis);
}

void LocalSearchQueue::start_player() {
    if (left_in_round_ == 0)
        left_in_round_ = players_in_round_ = players_.size();
    --left_in_round_;
    EntryPtr entry = std::move(players_.front());
    players_.pop_front();
    engine::Limits limits = entry->job.limits;
    slice_.reset();
    if (!players_.empty() && limits.movetime) {
        slice_ = std::min(*limits.movetime, slice(policy_, players_in_round_));
        limits.movetime = slice_;
    }
    start(std::move(entry), std::move(limits));
    limit_running_player();
}

void LocalSearchQueue::start_analysis() {
    EntryPtr entry = std::move(analyses_.front());
    analyses_.pop_front();
    engine::Limits limits = entry->job.limits;
    if (!analyses_.empty())
        limits.movetime = std::min(*limits.movetime, policy_.analysis_slice);
    slice_ = limits.movetime;
    start(std::move(entry), std::move(limits));
}

void LocalSearchQueue::start(EntryPtr entry, engine::Limits limits) {
    running_ = std::move(entry);
    interruption_ = Interruption::none;
    stop_sent_ = false;
    info_ = {};
    pvs_.clear();
    explanation_.reset();
    slice_nodes_ = 0;
    unreported_.clear();
    began_ = now();
    if (limits.has_clock())
        subtract_wait(limits, running_->job.game.position().side_to_move(), began_);
    limits.arrival = began_;
    limits.analysis = running_->job.priority == Priority::analysis;
    const auto& job = running_->job;
    pv_count_ = static_cast<std::size_t>(
        std::clamp(core::count_legal_moves(job.game.position()), 1, job.multipv));
    if (std::exchange(multipv_, job.multipv) != job.multipv)
        engine_.set_option("MultiPV", std::to_string(job.multipv));
    if (policy_.clears_table && running_->interruptions == 0 && is_reproducible(limits))
        engine_.new_game();
    engine_.set_game(job.game, job.salt, job.salt);
    if (job.kind == JobKind::evaluation)
        engine_.ask(running_->id, engine::SnapshotDetail::evaluation);
    else if (job.kind == JobKind::explanation)
        engine_.why(
            job.move ? std::optional{core::to_uci(*job.move, core::CastlingStyle::king_takes_rook)}
                     : std::nullopt);
    else
        engine_.go(std::move(limits));
}

/// Limits the running player to a slice if others wait.
void LocalSearchQueue::limit_running_player() {
    if (players_.empty() || slice_ || deadline_ || running_->job.kind == JobKind::evaluation)
        return;
    set_deadline(began_ + slice(policy_, players_in_round_));
}

/// Interrupts the running analysis, at once or when the time is over that it may not be disturbed
/// for.
void LocalSearchQueue::preempt() {
    const auto until = began_ + undisturbed_time(*running_);
    if (wake_at_ && now() < until)
        set_deadline(until);
    else
        interrupt(Interruption::preempted);
}

Milliseconds LocalSearchQueue::undisturbed_time(const Entry& entry) const {
    if (entry.job.kind != JobKind::explanation || entry.interruptions == 0)
        return Milliseconds{0};
    constexpr int max_doublings = 10;
    const auto doublings = std::min(entry.interruptions - 1, max_doublings);
    return std::min(policy_.explanation_slice * (1 << doublings), policy_.max_explanation_slice);
}

void LocalSearchQueue::set_deadline(std::optional<Time> deadline) {
    if (deadline_ == deadline)
        return;
    deadline_ = deadline;
    if (wake_at_)
        wake_at_(deadline);
}

void LocalSearchQueue::close() {
    set_deadline(std::nullopt);
    players_.clear();
    analyses_.clear();
    drop_retries();
    if (std::exchange(running_, nullptr))
        engine_.stop();
}

void LocalSearchQueue::wake() {
    if (running_ && deadline_ && now() >= *deadline_)
        interrupt(Interruption::slice_over);
}

void LocalSearchQueue::interrupt(Interruption why) {
    if (interruption_ == Interruption::none)
        interruption_ = why;
    if (!std::exchange(stop_sent_, true))
        engine_.stop();
}

void LocalSearchQueue::handle_response(const engine::Response& response) {
    if (!running_)
        return;
    if (const auto* info = std::get_if<engine::Info>(&response)) {
        handle_info(*info);
    }
    else if (const auto* best = std::get_if<engine::BestMove>(&response)) {
        end_slice(*best);
    }
    else if (const auto* snapshot = std::get_if<engine::Snapshot>(&response)) {
        engine::BestMove evaluation;
        evaluation.score = snapshot->evaluation.value_or(engine::draw);
        end_slice(evaluation);
    }
    else if (const auto* explained = std::get_if<engine::Explained>(&response)) {
        explanation_ = explained->explanation;
        end_slice({});
    }
    else if (running_->job.kind == JobKind::explanation
             && (std::holds_alternative<engine::Notice>(response)
                 || std::holds_alternative<engine::Refused>(response))) {
        end_slice({});  // it was stopped, or the game is over
    }
}

void LocalSearchQueue::handle_info(const engine::Info& info) {
    wake();
    slice_nodes_ = std::max(slice_nodes_, info.nodes);
    if (info.bound != engine::Bound::exact)
        return;
    if (running_->job.multipv > 1) {
        pvs_.resize(static_cast<std::size_t>(running_->job.multipv));
        pvs_.at(static_cast<std::size_t>(info.multipv - 1)) = info;
    }
    if (info.multipv == 1)
        info_ = info;
    const bool is_last = info.multipv == static_cast<int>(pv_count_);
    // A resumed search begins at depth 1 again: do not report depths already reported.
    if (!is_last || !running_->report || info_.depth < running_->reported_depth)
        return;
    unreported_ = pvs_found();
    if (now() - last_report_ >= policy_.report_interval)
        report();
}

/// The pvs of the last iteration.
std::vector<engine::Info> LocalSearchQueue::pvs_found() const {
    if (running_->job.multipv == 1)
        return {info_};
    return {pvs_.begin(), pvs_.begin() + static_cast<std::ptrdiff_t>(pv_count_)};
}

void LocalSearchQueue::report() {
    const auto pvs = std::exchange(unreported_, {});
    if (pvs.empty() || !running_->report)
        return;
    running_->reported_depth = pvs.front().depth;
    last_report_ = now();
    // The callback may cancel the job and with it the function that runs.
    const auto call = running_->report;
    call(pvs);
}

void LocalSearchQueue::end_slice(const engine::BestMove& best) {
    report();
    keep_result(best);
    totals_.nodes += slice_nodes_;
    const EntryPtr entry = std::exchange(running_, nullptr);
    set_deadline(std::nullopt);
    const auto took =
        std::max(std::chrono::duration_cast<Milliseconds>(now() - began_), Milliseconds{1});
    if (!entry->is_cancelled) {
        if (needs_another_slice(*entry, took)) {
            *entry->job.limits.movetime -= took;
            ++entry->interruptions;
            (entry->job.priority == Priority::player ? players_ : analyses_).push_back(entry);
        }
        else {
            finish(entry);
        }
    }
    start_next();
}

/// Keeps what the running slice has found, unless an earlier one has searched deeper.
void LocalSearchQueue::keep_result(const engine::BestMove& best) {
    auto& entry = *running_;
    if (!entry.has_result || info_.depth >= entry.result.info.depth)
        entry.result = {best, info_, pvs_, explanation_};
    entry.has_result = true;
}

/// Whether a job whose slice has ended waits for another one.
bool LocalSearchQueue::needs_another_slice(const Entry& entry, Milliseconds took) const {
    const auto& job = entry.job;
    if (entry.is_stopped || job.kind == JobKind::evaluation || entry.result.explanation
        || !job.limits.movetime)
        return false;
    if (job.priority == Priority::player && job.slice_end == SliceEnd::finish)
        return false;
    if (took + min_resumed_time > *job.limits.movetime)
        return false;
    // A slice that ends early without being interrupted has nothing left to find.
    return interruption_ != Interruption::none || (slice_ && took >= *slice_ * 9 / 10);
}

void LocalSearchQueue::finish(const EntryPtr& entry) {
    if (const auto done = std::exchange(entry->done, nullptr))
        done(entry->result);
}

}  // namespace uci::server
