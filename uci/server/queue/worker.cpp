#include "uci/server/queue/worker.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

#include "engine/analysis/jobs/job_worker.hpp"
#include "engine/threading.hpp"

#include "uci/server/queue/job_codec.hpp"
#include "uci/server/queue/redis_url.hpp"
#include "uci/util/log.hpp"

namespace uci::server::queue {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// How often a worker tells Redis that it lives, and asks what has become of its jobs.
constexpr milliseconds keep_interval{500};
/// How often it looks whether it shall stop.
constexpr milliseconds stop_interval{50};
constexpr milliseconds retry_delay{500};
constexpr milliseconds take_over_interval{1'000};
constexpr milliseconds cleaning_interval{600'000};
/// Jobs are taken in batches that take about this long, and their results sent together.
constexpr milliseconds batch_time{20};
constexpr std::size_t max_batch = 128;
/// Every so many times the priorities are asked in reverse, so that the lowest one does not starve.
constexpr int reverse_every = 8;
constexpr milliseconds report_interval{200};
/// How long a worker tries to send results to a Redis that cannot be reached.
constexpr milliseconds send_time{60'000};

/// The number of jobs to take next, after a batch of `count` that took that long.
std::size_t next_count(std::size_t count, Clock::duration took) {
    const auto fitting = static_cast<std::size_t>(
        batch_time
        / std::max<Clock::duration>(took / static_cast<int>(count), std::chrono::microseconds{1}));
    return std::clamp<std::size_t>(fitting, 1, std::min(2 * count, max_batch));
}

/// When a job was added, on Redis's clock.
milliseconds time_of(const QueuedJob& job) {
    return milliseconds{core::read_integer(job.entry.substr(0, job.entry.find('-'))).value_or(0)};
}

/// The clock of the player to move has run since the job was added.
void subtract_wait(engine::jobs::Job& job, milliseconds wait) {
    auto& time = job.limits.clocks[index_of(job.game.position().side_to_move())].time;
    if (time && wait > milliseconds{0})
        *time = std::max(*time - wait, milliseconds{1});
}

}  // namespace

void Worker::Trouble::report(const core::Error& error) {
    const std::lock_guard lock{mutex_};
    if (!is_reported_ || std::exchange(last_, error.reason) != error.reason)
        util::log_error(error.reason + "; trying again");
    last_ = error.reason;
    is_reported_ = true;
}

/// One thread of a worker, with a connection and a consumer of its own. What other threads may call
/// says so.
class Worker::Slot {
public:
    /// Why the running job is to end.
    enum class Cause : unsigned char { none, stopped, dropped, given_back };

    Slot(const Worker& worker, std::size_t number)
        : worker_{worker},
          consumer_{fmt::format("{}/{}", worker.name_, number)},
          streams_{worker.settings_.address, worker.keys_},
          job_worker_{worker.evaluate_, worker.settings_.tablebases.get()} {}

    const std::string& consumer() const { return consumer_; }

    /// Takes jobs until the worker ends.
    void run() {
        while (!worker_.is_ending_) {
            const auto error = step();
            if (!error) {
                worker_.trouble_.clear();
                continue;
            }
            if (streams_.connection().is_open())
                static_cast<void>(streams_.create());  // the streams or the group were removed
            else
                worker_.trouble_.report(*error);
            std::this_thread::sleep_for(retry_delay);
        }
        has_ended_ = true;
    }

    // From any thread.

    bool has_ended() const { return has_ended_; }
    std::uint64_t jobs_done() const { return jobs_done_; }
    std::vector<QueuedJob> held() const {
        const std::lock_guard lock{mutex_};
        return held_;
    }
    /// Tells what has become of a job.
    void set_state(const std::string& entry, HeldState state) {
        if (state != HeldState::held)
            interrupt(entry, state == HeldState::stopped ? Cause::stopped : Cause::dropped);
    }
    /// Ends the running job, which others shall do.
    void give_back() {
        const std::lock_guard lock{mutex_};
        if (!held_.empty())
            interrupt_running(Cause::given_back);
    }

private:
    std::optional<core::Error> step() {
        if (Clock::now() >= next_take_over_) {
            next_take_over_ = Clock::now() + take_over_interval;
            const auto job = streams_.take_over(consumer_);
            if (!job)
                return job.error();
            // Alone, so that a job that ends workers does not take others with it.
            if (*job)
                return work({**job});
        }
        constexpr std::array order{JobPriority::player, JobPriority::analysis, JobPriority::bulk};
        constexpr std::array reverse{JobPriority::bulk, JobPriority::analysis, JobPriority::player};
        const bool is_reverse = ++rounds_ % reverse_every == 0;
        auto jobs = streams_.take(consumer_, is_reverse ? reverse : order, count_);
        if (!jobs)
            return jobs.error();
        if (!jobs->empty())
            return work(std::move(*jobs));
        auto waited = streams_.wait(consumer_);
        if (!waited)
            return waited.error();
        // Others may be free for the jobs of lower priorities.
        auto& found = *waited;
        if (found.size() > 1) {
            if (auto error = streams_.give_back({found.begin() + 1, found.end()}))
                return error;
            found.resize(1);
        }
        return found.empty() ? std::nullopt : work(std::move(found));
    }

    /// Does jobs of one priority and sends their results together.
    std::optional<core::Error> work(std::vector<QueuedJob> jobs) {
        const auto start = Clock::now();
        const auto count = jobs.size();
        {
            const std::lock_guard lock{mutex_};
            held_ = std::move(jobs);
        }
        std::vector<FinishedJob> finished;
        std::optional<core::Error> error;
        for (auto job = next_job(); job && !error; job = next_job()) {
            if (auto text = result_of(*job, error))
                finished.push_back({*job, std::move(*text)});
            if (Clock::now() - start > batch_time && !error)
                error = send(finished);
        }
        if (!error)
            error = send(finished);
        count_ = next_count(count, Clock::now() - start);
        // After a failure Redis gives them to another worker, or to this one.
        const auto left = take_left();
        if (!error && !left.empty())
            error = streams_.give_back(left);
        return error;
    }

    /// The next of the held jobs to begin; nothing when the worker ends. Jobs stay held until they
    /// are sent.
    std::optional<QueuedJob> next_job() {
        const std::lock_guard lock{mutex_};
        if (begun_ == held_.size() || worker_.is_ending_)
            return std::nullopt;
        cause_ = Cause::none;
        stop_ = false;
        return held_[begun_++];
    }

    /// Stops holding all jobs. Returns those that are to be given back.
    std::vector<QueuedJob> take_left() {
        const std::lock_guard lock{mutex_};
        std::vector<QueuedJob> left{held_.begin() + static_cast<std::ptrdiff_t>(begun_),
                                    held_.end()};
        if (cause_ == Cause::given_back)
            left.push_back(held_[begun_ - 1]);
        held_.clear();
        begun_ = 0;
        return left;
    }

    /// Sends results. While Redis cannot be reached it tries again, so that the work is not lost.
    std::optional<core::Error> send(std::vector<FinishedJob>& finished) {
        if (finished.empty())
            return std::nullopt;
        const auto deadline = Clock::now() + send_time;
        auto first = streams_.finish(finished);
        while (!first && !streams_.connection().is_open() && Clock::now() < deadline
               && !worker_.is_ending_) {
            worker_.trouble_.report(first.error());
            std::this_thread::sleep_for(retry_delay);
            first = streams_.finish(finished);
        }
        if (!first)
            return first.error();
        jobs_done_ += static_cast<std::uint64_t>(*first);
        finished.clear();
        return std::nullopt;
    }

    /// The result to send. Nothing if there is none, because the job has been refused or was
    /// interrupted.
    std::optional<std::string> result_of(const QueuedJob& queued,
                                         std::optional<core::Error>& error) {
        auto job = read_job(queued.text);
        if (!job) {
            util::log_error("a job was put aside: " + job.reason());
            error = streams_.put_aside(queued, job.reason());
            return std::nullopt;
        }
        const auto most = worker_.settings_.most_megabytes;
        if (job->kind == engine::jobs::JobKind::search && job->megabytes > most) {
            error = streams_.refuse(
                queued, fmt::format("needs a table of {} MB, --hash is {}", job->megabytes, most));
            return std::nullopt;
        }
        subtract_wait(*job, streams_.connection().server_time() - time_of(queued));
        try {
            const auto result = job_worker_.run(*job, stop_, reporter(queued, *job));
            const auto cause = cause_.load();
            if (cause == Cause::dropped || cause == Cause::given_back)
                return std::nullopt;
            return write_result(result);
        }
        catch (const std::bad_alloc&) {
            error = streams_.refuse(queued, "not enough memory");
            return std::nullopt;
        }
    }

    engine::jobs::JobWorker::Report reporter(const QueuedJob& queued,
                                             const engine::jobs::Job& job) {
        if (!job.wants_reports)
            return nullptr;
        return [this, &queued](const std::vector<engine::Info>& pvs) {
            if (Clock::now() < next_report_)
                return;
            next_report_ = Clock::now() + report_interval;
            static_cast<void>(streams_.report(queued, write_pvs(pvs)));
        };
    }

    void interrupt(const std::string& entry, Cause cause) {
        const std::lock_guard lock{mutex_};
        if (begun_ > 0 && begun_ <= held_.size() && held_[begun_ - 1].entry == entry)
            interrupt_running(cause);
    }
    /// With the mutex locked.
    void interrupt_running(Cause cause) {
        if (cause_ != Cause::none)
            return;
        cause_ = cause;
        stop_ = true;
    }

    const Worker& worker_;
    const std::string consumer_;
    JobStreams streams_;
    engine::jobs::JobWorker job_worker_;
    std::size_t count_ = 1;
    int rounds_ = 0;
    Clock::time_point next_take_over_;
    Clock::time_point next_report_;
    std::atomic<bool> has_ended_{false};
    std::atomic<std::uint64_t> jobs_done_{0};
    std::atomic<bool> stop_{false};          // read at every node of the search
    std::atomic<Cause> cause_{Cause::none};  // read by this thread after the search
    mutable std::mutex mutex_;               ///< guards what follows
    std::vector<QueuedJob> held_;
    std::size_t begun_ = 0;  ///< so many of the held jobs
};

Worker::Worker(WorkerSettings settings)
    : settings_{std::move(settings)},
      name_{process_name()},
      keys_{own_queue()} {
    for (int number = 0; number < settings_.threads; ++number)
        slots_.push_back(std::make_unique<Slot>(*this, static_cast<std::size_t>(number)));
}

Worker::~Worker() = default;

void Worker::run(const std::atomic<bool>& stop) {
    JobStreams streams{settings_.address, keys_};
    util::log_info(
        fmt::format("worker {} for queue {} at {}", name_, keys_.id(), name_of(settings_.address)));
    while (!stop) {
        const auto error = streams.create();
        if (!error)
            break;
        trouble_.report(*error);
        std::this_thread::sleep_for(retry_delay);
    }
    if (stop)
        return;
    std::deque<engine::Thread> threads;  // each waits for its end when it is destroyed
    for (const auto& slot : slots_)
        threads.emplace_back([&slot = *slot] { slot.run(); });
    auto next_keep = Clock::now();
    while (!stop) {
        if (Clock::now() >= next_keep) {
            keep_jobs(streams);
            next_keep = Clock::now() + keep_interval;
        }
        std::this_thread::sleep_for(stop_interval);
    }
    is_ending_ = true;
    const auto deadline = Clock::now() + settings_.drain_time;
    const auto has_ended = [](const auto& slot) { return slot->has_ended(); };
    while (!std::all_of(slots_.begin(), slots_.end(), has_ended)) {
        if (Clock::now() >= deadline) {
            for (const auto& slot : slots_)
                slot->give_back();
        }
        keep_jobs(streams);
        std::this_thread::sleep_for(stop_interval);
    }
    std::vector<std::string> consumers;
    for (const auto& slot : slots_)
        consumers.push_back(slot->consumer());
    static_cast<void>(streams.remove_worker(name_, consumers));
}

/// Tells Redis that this worker lives and has its jobs still.
void Worker::keep_jobs(JobStreams& streams) {
    std::vector<std::string> consumers;
    std::vector<QueuedJob> jobs;
    std::vector<Slot*> holders;
    std::size_t busy = 0;
    for (const auto& slot : slots_) {
        const auto held = slot->held();
        busy += held.empty() ? 0U : 1U;
        for (const auto& job : held) {
            consumers.push_back(slot->consumer());
            holders.push_back(slot.get());
            jobs.push_back(job);
        }
    }
    const auto states = streams.keep(name_, description(busy), consumers, jobs);
    if (!states)
        return;  // the slots report that Redis cannot be reached
    for (std::size_t i = 0; i < jobs.size(); ++i)
        holders[i]->set_state(jobs[i].entry, (*states)[i]);
    if (Clock::now() >= next_cleaning_) {
        next_cleaning_ = Clock::now() + cleaning_interval;
        static_cast<void>(streams.remove_silent_workers());
    }
}

/// What `parley queue status` shows of this worker.
std::string Worker::description(std::size_t busy) const {
    std::uint64_t done = 0;
    for (const auto& slot : slots_)
        done += slot->jobs_done();
    return nlohmann::json{{"threads", slots_.size()}, {"busy", busy}, {"done", done}}.dump();
}

}  // namespace uci::server::queue
