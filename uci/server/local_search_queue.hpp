#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/general_interface.hpp"

#include "uci/server/search_queue.hpp"

namespace uci::server {

/// The searches of a server by the engine in its process: all games wait here for it. Players are
/// served in the order in which they came, in rounds that share their time; analyses take turns and
/// run only while no player waits. Belongs to one thread, which also brings the engine's responses.
class LocalSearchQueue : public SearchQueue {
public:
    /// Without `wake_at` a time slice ends only when the engine reports something.
    explicit LocalSearchQueue(engine::GeneralInterface& engine,
                              SearchQueuePolicy policy = {},
                              WakeAt wake_at = nullptr);

    std::optional<JobId> submit(SearchJob job, Done done, Report report = nullptr) override;
    void cancel(JobId id) override;
    void stop(JobId id) override;
    bool is_full(Priority priority,
                 const std::string& client = {},
                 Quota quota = Quota::searches) const override;
    SearchStatistics statistics() const override;

    /// Handles a response of the engine.
    void handle_response(const engine::Response& response);
    /// Ends the running time slice if its time is over.
    void wake();
    /// Drops all jobs and clears the timer. Responses that still come are ignored.
    void close();

private:
    enum class Interruption : unsigned char { none, slice_over, preempted };

    struct Entry {
        JobId id = 0;
        SearchJob job;
        Done done;
        Report report;
        SearchResult result;
        bool has_result = false;
        bool is_stopped = false;
        bool is_cancelled = false;
        int reported_depth = 0;
        int interruptions = 0;
    };
    using EntryPtr = std::shared_ptr<Entry>;
    using Entries = std::deque<EntryPtr>;

    void start_next();
    void start_player();
    void start_analysis();
    void start(EntryPtr entry, engine::Limits limits);
    void limit_running_player();
    void preempt();
    engine::Milliseconds undisturbed_time(const Entry& entry) const;
    void set_deadline(std::optional<Time> deadline);
    void interrupt(Interruption why);
    std::size_t count_analyses() const;
    std::size_t count_jobs_of(const std::string& client, Quota quota) const;
    EntryPtr remove_waiting(JobId id);

    void handle_info(const engine::Info& info);
    std::vector<engine::Info> pvs_found() const;
    void report();
    void end_slice(const engine::BestMove& best);
    void keep_result(const engine::BestMove& best);
    bool needs_another_slice(const Entry& entry, engine::Milliseconds took) const;
    static void finish(const EntryPtr& entry);

    engine::GeneralInterface& engine_;
    SearchQueuePolicy policy_;
    WakeAt wake_at_;
    SearchStatistics totals_;  ///< its figures since the beginning
    JobId last_id_ = 0;

    Entries players_;  ///< waiting
    Entries analyses_;
    int multipv_ = 1;                   ///< as the engine has it
    std::size_t players_in_round_ = 0;  ///< players who share the present round
    std::size_t left_in_round_ = 0;

    // The running slice.
    EntryPtr running_;
    Time began_;
    std::optional<engine::Milliseconds> slice_;  ///< its length, where it has one
    std::optional<Time> deadline_;               ///< then it is interrupted
    Interruption interruption_ = Interruption::none;
    bool stop_sent_ = false;
    engine::Info info_;
    std::vector<engine::Info> pvs_;
    std::size_t pv_count_ = 1;  ///< of each iteration
    std::optional<engine::explain::Explanation> explanation_;
    std::uint64_t slice_nodes_ = 0;
    std::vector<engine::Info> unreported_;
    Time last_report_;
};

}  // namespace uci::server
