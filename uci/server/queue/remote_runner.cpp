#include "uci/server/queue/remote_runner.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/server/queue/job_codec.hpp"
#include "uci/server/queue/redis_url.hpp"

namespace uci::server::queue {

namespace {

using core::Error;
using engine::jobs::Job;
using engine::jobs::JobResult;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds reply_wait{200};
/// How often a producer says that it lives and looks for workers.
constexpr milliseconds keep_interval{2'000};
/// How often it looks for jobs that Redis has lost.
constexpr milliseconds check_interval{10'000};
constexpr milliseconds retry_delay{200};
/// No more jobs are added to a stream of this length, whoever has added them.
constexpr std::int64_t max_stream_length = 100'000;

}  // namespace

/// One call of RemoteRunner::run().
class RemoteRunner::Run {
public:
    Run(RemoteRunner& runner,
        const std::vector<Job>& jobs,
        const std::atomic<bool>& stop,
        const Take& take)
        : runner_{runner},
          settings_{runner.settings_},
          jobs_{jobs},
          stop_{stop},
          take_{take},
          streams_{settings_.address, runner.keys_},
          producer_{process_name()} {
        for (std::size_t i = 0; i < jobs.size(); ++i)
            waiting_.insert(i);
    }

    std::optional<Error> run() {
        while (!is_over() && !failure_) {
            if (const auto error = step())
                handle_outage(*error);
            else
                handle_silence();
        }
        end();
        return failure_;
    }

private:
    bool is_over() const { return stop_ || is_refused_ || (waiting_.empty() && queued_.empty()); }

    /// Adds jobs and takes replies.
    std::optional<Error> step() {
        if (Clock::now() >= next_keep_) {
            if (auto error = keep())
                return error;
            next_keep_ = Clock::now() + keep_interval;
        }
        if (auto error = add())
            return error;
        if (auto error = take_replies(runner_.is_silent_ ? milliseconds{0} : reply_wait))
            return error;
        if (Clock::now() >= next_check_) {
            next_check_ = Clock::now() + check_interval;
            return requeue_lost();
        }
        return std::nullopt;
    }

    std::optional<Error> keep() {
        if (auto error = streams_.keep_producer(producer_, last_reply_))
            return error;
        const auto workers = streams_.count_workers();
        if (!workers)
            return workers.error();
        if (*workers > 0)
            last_sign_ = Clock::now();
        has_workers_ = *workers > 0;
        return std::nullopt;
    }

    std::optional<Error> add() {
        // In large portions: each costs a round trip.
        const auto space = settings_.window - std::min(settings_.window, queued_.size());
        if (waiting_.empty() || space < std::min(settings_.window / 4 + 1, waiting_.size()))
            return std::nullopt;
        const auto length = streams_.length(settings_.priority);
        if (!length)
            return length.error();
        if (*length >= max_stream_length)
            return std::nullopt;
        std::vector<QueuedJob> added;
        std::vector<std::size_t> indices;
        for (const auto index : waiting_) {
            if (indices.size() == space)
                break;
            added.push_back({settings_.priority,
                             {},
                             std::to_string(index),
                             producer_,
                             write_job(jobs_[index])});
            indices.push_back(index);
        }
        const auto entries = streams_.add(settings_.priority, producer_, added);
        if (!entries)
            return entries.error();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            waiting_.erase(indices[i]);
            queued_[indices[i]] = (*entries)[i];
        }
        return std::nullopt;
    }

    std::optional<Error> take_replies(milliseconds wait) {
        const auto replies = streams_.replies(producer_, last_reply_, wait);
        if (!replies)
            return replies.error();
        for (const auto& reply : *replies)
            handle(reply);
        return std::nullopt;
    }

    void handle(const QueueReply& reply) {
        const auto index = core::read_integer(reply.id).value_or(-1);
        const auto found =
            index < 0 ? queued_.end() : queued_.find(static_cast<std::size_t>(index));
        // A job that was queued twice has two results; the first one counts.
        if (found == queued_.end() || is_over() || failure_)
            return;
        last_sign_ = Clock::now();
        switch (reply.kind) {
            case QueueReply::Kind::report: return;
            case QueueReply::Kind::failed:
                failure_ = Error{"a job was put aside: " + reply.text};
                return;
            case QueueReply::Kind::refused:
                queued_.erase(found);
                do_here({static_cast<std::size_t>(index)});
                return;
            case QueueReply::Kind::result: break;
        }
        auto result = read_result(reply.text, jobs_[found->first]);
        if (!result) {
            failure_ = Error{"a worker's " + result.reason()};
            return;
        }
        const auto done = found->first;
        queued_.erase(found);
        if (std::exchange(runner_.is_silent_, false))
            notify(fmt::format("workers answer at {} again", name_of(settings_.address)));
        is_refused_ = !take_(done, std::move(*result));
    }

    /// Queues jobs again that are neither in the stream nor answered: Redis has lost data.
    std::optional<Error> requeue_lost() {
        std::vector<std::size_t> indices;
        std::vector<std::string> entries;
        for (const auto& [index, entry] : queued_) {
            indices.push_back(index);
            entries.push_back(entry);
        }
        if (entries.empty())
            return std::nullopt;
        const auto gone = streams_.are_gone(settings_.priority, entries);
        if (!gone)
            return gone.error();
        // A result goes into the replies in the same step in which the job leaves the stream.
        if (auto error = take_replies(milliseconds{0}))
            return error;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if ((*gone)[i] && queued_.erase(indices[i]) > 0)
                waiting_.insert(indices[i]);
        }
        return std::nullopt;
    }

    void handle_outage(const Error& error) {
        if (streams_.connection().is_open())
            streams_.connection().close();  // a refusal, such as of a replica: begin again
        next_keep_ = Clock::now();
        next_check_ = Clock::now();
        if (!runner_.is_silent_ && Clock::now() - last_sign_ < silence_limit && was_connected_) {
            std::this_thread::sleep_for(retry_delay);
            return;
        }
        become_silent(error.reason);
        do_some_here();
    }

    void handle_silence() {
        was_connected_ = true;
        if (has_workers_ || (!runner_.is_silent_ && Clock::now() - last_sign_ < silence_limit))
            return;
        become_silent(fmt::format("no worker of this version and network answers at {}",
                                  name_of(settings_.address)));
        do_some_here();
    }

    void become_silent(const std::string& reason) {
        if (!std::exchange(runner_.is_silent_, true))
            notify(reason + "; the work goes on in this process");
    }

    void notify(const std::string& message) const {
        if (settings_.notice)
            settings_.notice(message);
    }

    /// Does as many jobs in this process as it has threads, those first that are not in the queue.
    void do_some_here() {
        std::vector<std::size_t> indices;
        const auto is_full = [&] { return indices.size() >= settings_.local_threads; };
        while (!is_full() && !waiting_.empty())
            indices.push_back(waiting_.extract(waiting_.begin()).value());
        std::vector<std::size_t> taken_back;
        std::vector<std::string> entries;
        for (auto next = queued_.begin(); next != queued_.end() && !is_full(); ++next) {
            if (is_suspect(next->first, next->second))
                continue;
            indices.push_back(next->first);
            taken_back.push_back(next->first);
            entries.push_back(next->second);
        }
        for (const auto index : taken_back)
            queued_.erase(index);
        // Where this fails, a worker will do them too, for nothing.
        static_cast<void>(streams_.remove(settings_.priority, entries));
        do_here(indices);
    }

    /// Puts a job aside over which so many workers have fallen silent that this process should not
    /// try it.
    bool is_suspect(std::size_t index, const std::string& entry) {
        constexpr int suspect_deaths = 2;
        const auto holders = streams_.holders(settings_.priority, {entry});
        const auto holder = holders ? holders->front() : std::nullopt;
        if (!holder || holder->deliveries < suspect_deaths)
            return false;
        const QueuedJob job{settings_.priority, entry, std::to_string(index), producer_, {}};
        static_cast<void>(streams_.put_aside(
            job, std::to_string(holder->deliveries)
                     + " workers fell silent over it, and no other one is left"));
        return true;
    }

    void do_here(const std::vector<std::size_t>& indices) {
        std::vector<Job> jobs;
        for (const auto index : indices)
            jobs.push_back(jobs_[index]);
        failure_ = runner_.local_.run(jobs, stop_, [&](std::size_t i, JobResult result) {
            is_refused_ = !take_(indices[i], std::move(result));
            return !is_refused_;
        });
    }

    /// Takes back what is in the queue still.
    void end() {
        if (!was_connected_)
            return;
        std::vector<std::string> entries;
        for (const auto& [index, entry] : queued_)
            entries.push_back(entry);
        static_cast<void>(streams_.remove(settings_.priority, entries));
        static_cast<void>(streams_.remove_producer(producer_));
    }

    RemoteRunner& runner_;
    const RemoteSettings& settings_;
    const std::vector<Job>& jobs_;
    const std::atomic<bool>& stop_;
    const Take& take_;
    JobStreams streams_;
    const std::string producer_;
    std::string last_reply_ = "0";
    std::set<std::size_t> waiting_;              ///< not in the queue
    std::map<std::size_t, std::string> queued_;  ///< with their entries
    Clock::time_point next_keep_;
    Clock::time_point next_check_ = Clock::now() + check_interval;
    Clock::time_point last_sign_ = Clock::now();  ///< of a worker
    bool has_workers_ = false;
    bool was_connected_ = false;
    bool is_refused_ = false;  ///< `take` wants no more
    std::optional<Error> failure_;
};

RemoteRunner::RemoteRunner(RemoteSettings settings)
    : settings_{std::move(settings)},
      keys_{own_queue()},
      local_{settings_.local_threads} {}

std::optional<Error> RemoteRunner::run(const std::vector<Job>& jobs,
                                       const std::atomic<bool>& stop,
                                       const Take& take) {
    return Run{*this, jobs, stop, take}.run();
}

}  // namespace uci::server::queue
