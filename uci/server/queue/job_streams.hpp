#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

#include "uci/store/redis_connection.hpp"

namespace uci::server::queue {

/// What goes first: a player who waits, an analysis that somebody looks at, or work in bulk.
enum class JobPriority : unsigned char { player, analysis, bulk };

inline constexpr std::array<std::string_view, 3> priority_names{"player", "analysis", "bulk"};

/// After this silence of a worker its jobs are given to others.
inline constexpr std::chrono::seconds silence_limit{10};
/// A job is put aside when so many workers have fallen silent over it.
inline constexpr int max_deaths = 3;
/// Longest time that a worker waits for a job in one command.
inline constexpr std::chrono::milliseconds block_time{1'000};

/// The names of a queue's keys. Each version and network has a queue of its own, so that results
/// never depend on who worked. The braces keep all keys of a queue in one slot of a Redis cluster.
class QueueKeys {
public:
    QueueKeys(std::string_view version, std::uint32_t network);

    /// "VERSION-CHECKSUM".
    const std::string& id() const { return id_; }
    /// What all keys begin with.
    const std::string& prefix() const { return prefix_; }
    std::string stream(JobPriority priority) const;
    std::string dead() const { return prefix_ + "dead"; }
    std::string workers() const { return prefix_ + "workers"; }  ///< hash: name, description
    std::string seen() const { return prefix_ + "seen"; }        ///< sorted set: when last
    std::string counts() const { return prefix_ + "counts"; }    ///< hash: jobs done
    std::string replies(const std::string& producer) const { return prefix_ + "r:" + producer; }
    std::string alive(const std::string& producer) const { return prefix_ + "p:" + producer; }
    std::string stop(const std::string& producer, const std::string& job) const {
        return prefix_ + "s:" + producer + ":" + job;
    }

private:
    std::string id_;
    std::string prefix_;
};

/// The queue of this program's version and network.
QueueKeys own_queue();

/// A name for this process among all: "HOST:PID:RANDOM".
std::string process_name();

/// A job as it is in its stream.
struct QueuedJob {
    JobPriority priority = JobPriority::bulk;
    std::string entry;     ///< its id in the stream
    std::string id;        ///< unique within its producer
    std::string producer;  ///< who wants the result
    std::string text;      ///< as write_job() writes it
};

/// What a worker has made of a job.
struct FinishedJob {
    QueuedJob job;
    std::string text;  ///< as write_result() writes it
};

/// What a producer gets.
struct QueueReply {
    enum class Kind : unsigned char { result, report, refused, failed };
    Kind kind = Kind::result;
    std::string id;    ///< of the job
    std::string text;  ///< result, report, or the reason why there is none
};

/// The worker that has a job.
struct JobHolder {
    std::chrono::milliseconds silence{0};  ///< since it was heard of
    std::int64_t deliveries = 0;           ///< so many workers have taken the job until now
};

/// What has become of a job that a worker holds.
enum class HeldState : unsigned char {
    held,
    lost,       ///< another worker has it, or its producer has taken it back
    abandoned,  ///< its producer is gone
    stopped     ///< its producer wants what has been found until now
};

/// The commands of the queue on one connection. Belongs to one thread. After an Error,
/// connection().is_open() tells whether Redis has refused a command or cannot be reached.
class JobStreams {
public:
    JobStreams(const store::RedisAddress& address, QueueKeys keys);

    store::RedisConnection& connection() { return connection_; }
    const QueueKeys& keys() const { return keys_; }

    // For producers.

    /// Adds jobs. Returns the ids of the entries.
    core::Result<std::vector<std::string>> add(JobPriority priority,
                                               const std::string& producer,
                                               const std::vector<QueuedJob>& jobs);
    /// The replies behind the one that `last` names, which becomes the last of these; waits for
    /// them up to that long.
    core::Result<std::vector<QueueReply>> replies(const std::string& producer,
                                                  std::string& last,
                                                  std::chrono::milliseconds wait);
    /// Which of these entries are not in their stream any more.
    core::Result<std::vector<bool>> are_gone(JobPriority priority,
                                             const std::vector<std::string>& entries);
    /// Who has each of these entries; nothing for one that no worker has.
    core::Result<std::vector<std::optional<JobHolder>>> holders(
        JobPriority priority,
        const std::vector<std::string>& entries);
    /// Removes entries, so that no worker begins them, and workers that have them drop them.
    std::optional<core::Error> remove(JobPriority priority,
                                      const std::vector<std::string>& entries);
    /// Says that the producer lives, and removes replies up to the one that `last` names.
    std::optional<core::Error> keep_producer(const std::string& producer, const std::string& last);
    /// Removes all that belongs to a producer but its jobs.
    std::optional<core::Error> remove_producer(const std::string& producer);
    /// Asks the worker to end a job with what it has found.
    std::optional<core::Error> stop(const std::string& producer, const std::string& job);
    /// How many workers have been heard of in silence_limit.
    core::Result<std::int64_t> count_workers();
    /// Jobs that are in the stream, waiting and taken.
    core::Result<std::int64_t> length(JobPriority priority);

    // For workers. A consumer is one thread of a worker.

    /// Makes the streams and the consumer group where they are missing.
    std::optional<core::Error> create();
    /// Takes up to `count` jobs of the first priority that has some; none if there are none.
    core::Result<std::vector<QueuedJob>> take(const std::string& consumer,
                                              const std::array<JobPriority, 3>& order,
                                              std::size_t count);
    /// Waits up to block_time for jobs; may return one of each priority.
    core::Result<std::vector<QueuedJob>> wait(const std::string& consumer);
    /// Takes one job of a silent worker, if there is one. Puts those aside that have too many
    /// deaths.
    core::Result<std::optional<QueuedJob>> take_over(const std::string& consumer);
    /// Sends results of jobs of one priority, unless another worker was first, and removes the
    /// jobs. Returns how many were first.
    core::Result<std::int64_t> finish(const std::vector<FinishedJob>& jobs);
    /// Sends what was found until now.
    std::optional<core::Error> report(const QueuedJob& job, const std::string& text);
    /// Removes a job that this worker cannot do; its producer hears why.
    std::optional<core::Error> refuse(const QueuedJob& job, const std::string& reason);
    /// Puts a job aside for good, with the reason; its producer hears of it.
    std::optional<core::Error> put_aside(const QueuedJob& job, const std::string& reason);
    /// Puts jobs back at the end of their streams.
    std::optional<core::Error> give_back(const std::vector<QueuedJob>& jobs);
    /// Says that a worker lives and still has these jobs. Returns what has become of each.
    core::Result<std::vector<HeldState>> keep(const std::string& worker,
                                              const std::string& description,
                                              const std::vector<std::string>& consumers,
                                              const std::vector<QueuedJob>& jobs);
    /// Removes a worker and its consumers, which hold no job any more.
    std::optional<core::Error> remove_worker(const std::string& worker,
                                             const std::vector<std::string>& consumers);
    /// Removes workers and consumers that have been silent for an hour and hold no job.
    std::optional<core::Error> remove_silent_workers();

private:
    core::Result<store::RedisReply> run(const std::string& script,
                                        const std::vector<std::string>& keys,
                                        const std::vector<std::string>& arguments);
    std::vector<std::string> all_streams() const;

    store::RedisConnection connection_;
    QueueKeys keys_;
};

}  // namespace uci::server::queue
