#include "uci/server/queue/remote_search_queue.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "uci/util/log.hpp"

namespace uci::server::queue {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// How often it is looked whether a search has waited too long.
constexpr milliseconds look_interval{200};

}  // namespace

RemoteSearchQueue::RemoteSearchQueue(LocalSearchQueue& local,
                                     JobProducer& producer,
                                     RemoteSearchSettings settings,
                                     WakeAt wake_at)
    : local_{local},
      producer_{producer},
      settings_{std::move(settings)},
      wake_at_{std::move(wake_at)} {}

std::optional<SearchQueue::JobId> RemoteSearchQueue::submit(SearchJob job,
                                                            Done done,
                                                            Report report) {
    if (is_full(job.priority, job.client, job.quota)) {
        ++totals_.refused;
        return std::nullopt;
    }
    ++totals_.submitted;
    if (job.salt == 0)
        job.salt = salt_of(job);
    const JobId id = ++last_id_;
    const auto place =
        entries_.emplace(id, Entry{std::move(job), std::move(done), std::move(report)}).first;
    if (state_.has_workers() && can_travel(place->second.job))
        send(place);
    else
        search_here(place);
    return id;
}

void RemoteSearchQueue::send(Place place) {
    auto& [id, entry] = *place;
    const bool is_player = entry.job.priority == Priority::player;
    entry.has_begun = false;
    entry.until =
        Clock::now() + (is_player ? settings_.player_patience : settings_.analysis_patience);
    auto job = job_of(entry.job, settings_.jobs, entry.report != nullptr);
    if (is_player && entry.job.slice_end == SliceEnd::finish)
        share_time(job.limits);
    producer_.add(id, priority_of(entry.job), std::move(job));
    set_timer();
}

/// Where more players wait than workers have threads, they share the time as in a process with one
/// engine.
void RemoteSearchQueue::share_time(engine::Limits& limits) const {
    const auto threads = std::max<std::size_t>(this->threads(), 1);
    const auto for_each = (count_remote(Priority::player) + threads - 1) / threads;
    if (limits.movetime && for_each > 1)
        limits.movetime = std::min(*limits.movetime, slice(settings_.policy, for_each));
}

void RemoteSearchQueue::search_here(Place place) {
    auto& [id, entry] = *place;
    entry.has_begun = false;
    entry.until.reset();
    if (can_travel(entry.job))
        ++remote_totals_.in_this_process;
    const auto done = [this, id = id](const SearchResult& result) {
        if (const auto found = entries_.find(id); found != entries_.end())
            finish(found, result);
    };
    Report on_report;
    if (entry.report)
        on_report = [this, id = id](const std::vector<engine::Info>& pvs) { report(id, pvs); };
    const auto local = local_.submit(entry.job, done, std::move(on_report));
    entry.local = local;
    if (!local)
        return finish(place, {});
    if (entry.is_stopped)
        local_.stop(*local);
}

/// Does a search in this process that is elsewhere.
void RemoteSearchQueue::take_back(Place place) {
    producer_.withdraw(place->first);
    search_here(place);
}

void RemoteSearchQueue::take_all_back(const std::string& reason) {
    std::vector<Place> elsewhere;
    for (auto place = entries_.begin(); place != entries_.end(); ++place) {
        if (!place->second.local)
            elsewhere.push_back(place);
    }
    log_failure(reason + "; searches run in this process");
    for (const auto place : elsewhere)
        take_back(place);
}

/// Ends a search over which workers have fallen silent. This process must not do the same: it looks
/// for a move only one ply deep.
void RemoteSearchQueue::give_up(Place place, const std::string& reason) {
    auto& [id, entry] = *place;
    util::log_error("queue: a search was put aside: " + reason, {{"game", entry.job.game_id}});
    producer_.put_aside(id, reason);
    if (entry.job.kind == JobKind::explanation)
        return finish(place, {});
    entry.job.limits.depth = 1;
    search_here(place);
}

/// Another worker shall do a search.
void RemoteSearchQueue::retry_elsewhere(Place place) {
    auto& [id, entry] = *place;
    if (++entry.silences >= max_deaths)
        return give_up(place, std::to_string(entry.silences) + " workers fell silent over it");
    producer_.withdraw(id);
    send(place);
}

void RemoteSearchQueue::finish(Place place, const SearchResult& result) {
    const auto done = std::move(place->second.done);
    entries_.erase(place);
    if (done)
        done(result);
    call_retries(Priority::player);
    call_retries(Priority::analysis);
}

void RemoteSearchQueue::report(JobId id, const std::vector<engine::Info>& pvs) {
    const auto found = entries_.find(id);
    if (found == entries_.end() || !found->second.report || pvs.empty())
        return;
    auto& entry = found->second;
    // One that began again elsewhere is at depth 1 again.
    if (pvs.front().depth < entry.reported_depth)
        return;
    entry.reported_depth = pvs.front().depth;
    // The callback may cancel the job and with it the function that runs.
    const auto call = entry.report;
    call(pvs);
}

void RemoteSearchQueue::cancel(JobId id) {
    const auto found = entries_.find(id);
    if (found == entries_.end())
        return;
    if (found->second.local)
        local_.cancel(*found->second.local);
    else
        producer_.withdraw(id);
    entries_.erase(found);
    // Not of analyses: its game may continue with another position first.
    call_retries(Priority::player);
}

void RemoteSearchQueue::stop(JobId id) {
    const auto found = entries_.find(id);
    if (found == entries_.end() || std::exchange(found->second.is_stopped, true))
        return;
    auto& entry = found->second;
    if (entry.local)
        return local_.stop(*entry.local);
    entry.until = Clock::now() + settings_.stop_patience;
    producer_.stop(id);
}

bool RemoteSearchQueue::is_full(Priority priority, const std::string& client, Quota quota) const {
    const auto& policy = settings_.policy;
    // As many wait as with one engine; what the workers have begun comes on top of that.
    const auto most =
        (priority == Priority::player ? policy.max_waiting_players + 1 : policy.max_analyses)
        + (state_.has_workers() ? threads() : 0);
    if (count(priority) >= most)
        return true;
    const auto of_client = std::count_if(entries_.begin(), entries_.end(), [&](const auto& item) {
        return item.second.job.client == client && item.second.job.quota == quota;
    });
    return !client.empty()
        && static_cast<std::size_t>(of_client) >= policy.max_jobs_of_client(quota);
}

std::size_t RemoteSearchQueue::count(Priority priority) const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(),
                      [&](const auto& item) { return item.second.job.priority == priority; }));
}

std::size_t RemoteSearchQueue::count_remote(Priority priority) const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(), [&](const auto& item) {
            return !item.second.local && item.second.job.priority == priority;
        }));
}

std::size_t RemoteSearchQueue::threads() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(state_.status.threads(), 0));
}

SearchStatistics RemoteSearchQueue::statistics() const {
    SearchStatistics statistics = local_.statistics();
    statistics.submitted = totals_.submitted;
    statistics.refused = totals_.refused;
    statistics.nodes += totals_.nodes;
    for (const auto& [id, entry] : entries_) {
        if (entry.local)
            continue;
        if (entry.has_begun)
            ++statistics.running;
        else
            ++(entry.job.priority == Priority::player ? statistics.waiting_players
                                                      : statistics.waiting_analyses);
    }
    return statistics;
}

void RemoteSearchQueue::handle(JobEvent event) {
    const auto found = entries_.find(event.job);
    if (found == entries_.end() || found->second.local)
        return;
    auto& entry = found->second;
    using Kind = JobEvent::Kind;
    switch (event.kind) {
        case Kind::begun:
            entry.has_begun = true;
            if (!entry.is_stopped)
                entry.until.reset();
            return;
        case Kind::report: return report(event.job, event.pvs);
        case Kind::silent: return retry_elsewhere(found);
        case Kind::refused:
            log_failure("a search runs in this process: " + event.reason);
            return take_back(found);
        case Kind::failed: return give_up(found, event.reason);
        case Kind::done: break;
    }
    ++remote_totals_.by_workers;
    totals_.nodes += event.result.nodes;
    producer_.withdraw(event.job);
    const auto result = search_result_of(std::move(event.result), entry.job);
    finish(found, result);
}

void RemoteSearchQueue::handle(QueueState state) {
    const bool had_workers = state_.has_workers();
    const bool is_first = !std::exchange(is_state_known_, true);
    state_ = std::move(state);
    if (state_.has_workers()) {
        if (!had_workers)
            util::log_info("queue: workers do the searches",
                           {{"queue", settings_.queue_name},
                            {"threads", static_cast<std::int64_t>(threads())}});
        call_retries(Priority::player);
        call_retries(Priority::analysis);
        return;
    }
    if (had_workers || is_first)
        take_all_back(state_.is_reachable ? "no worker of this version and network answers at "
                                                + settings_.queue_name
                                          : state_.reason);
}

void RemoteSearchQueue::wake() {
    is_timer_set_ = false;
    std::vector<JobId> late;
    for (const auto& [id, entry] : entries_) {
        if (!entry.local && entry.until && Clock::now() >= *entry.until)
            late.push_back(id);
    }
    if (!late.empty())
        log_failure("no worker is free; a search runs in this process");
    for (const auto id : late) {
        if (const auto found = entries_.find(id); found != entries_.end())
            take_back(found);
    }
    set_timer();
}

/// Sets the timer while a search is elsewhere.
void RemoteSearchQueue::set_timer() {
    const auto is_elsewhere = [](const auto& item) { return !item.second.local; };
    if (is_timer_set_ || std::none_of(entries_.begin(), entries_.end(), is_elsewhere))
        return;
    is_timer_set_ = true;
    wake_at_(Clock::now() + look_interval);
}

void RemoteSearchQueue::log_failure(const std::string& text) {
    if (const auto line = throttle_.line("queue: " + text, Clock::now()))
        util::log_error(*line);
}

}  // namespace uci::server::queue
