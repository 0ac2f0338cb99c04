#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/game.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/general_interface.hpp"

namespace uci::server {

/// A player waits for a move in a game; an analysis, or a review, runs only while no player waits.
enum class Priority : unsigned char { player, analysis };

/// A search, only the static evaluation of the position, or the explanation of a move.
enum class JobKind : unsigned char { search, evaluation, explanation };

/// What becomes of a player's search whose time slice ends while others wait: it finishes with
/// the best move found so far, or it waits for its next slice until its own time is used up.
enum class SliceEnd : unsigned char { finish, resume };

/// A request to the queue: one search. A plain value.
struct SearchJob {
    core::Game game;
    engine::Limits limits;
    Priority priority = Priority::player;
    JobKind kind = JobKind::search;
    SliceEnd slice_end = SliceEnd::finish;
    int multipv = 1;                 ///< how many pvs to search
    std::optional<core::Move> move;  ///< to explain; without one the best
    std::string game_id;             ///< unique within the server
    std::string client;              ///< who asks for it, if there is a limit on that
    std::uint64_t salt = 0;          ///< of engine::SetGame; submit() fills it in by salt_of()
};

/// What a search has found. A plain value.
struct SearchResult {
    /// The move, the expected reply and the score; the score alone of an evaluation.
    engine::BestMove best;
    engine::Info info;  ///< of the deepest iteration with an exact score: depth, nodes, pv
    /// With multipv above 1: such an Info for each pv, the best first; `pv` is empty in those beyond the
    /// legal moves. Otherwise empty.
    std::vector<engine::Info> pvs;
    /// Of a job of kind explanation; nothing if it was not finished in its time.
    std::optional<engine::explain::Explanation> explanation;
};

/// How a server divides the engine's time among its games.
struct SearchQueuePolicy {
    std::size_t max_waiting_players = 100;
    std::size_t max_analyses = 100;
    std::size_t max_jobs_per_client = 20;  ///< waiting and running, of both priorities
    /// All players who wait when a round begins share its time.
    engine::Milliseconds player_round{4'000};
    engine::Milliseconds min_player_slice{5};
    /// The time of one analysis before the next, when there are several.
    engine::Milliseconds analysis_slice{1'000};
    engine::Milliseconds report_interval{150};
};

/// What a SearchQueue does, and has done since its beginning.
struct SearchStatistics {
    std::size_t running = 0;
    std::size_t waiting_players = 0;
    std::size_t waiting_analyses = 0;
    std::uint64_t submitted = 0;
    std::uint64_t refused = 0;  ///< because too many waited
    std::uint64_t nodes = 0;    ///< searched, as last reported in each time slice
};

/// The one scheduler of a server: all its games wait here for the one engine. Players are served
/// in the order in which they came, in rounds that share their time; analyses take turns and run
/// only while no player waits. Belongs to one thread, which also brings the engine's responses.
class SearchQueue {
public:
    using Time = std::chrono::steady_clock::time_point;
    using JobId = std::uint64_t;
    using Done = std::function<void(const SearchResult&)>;
    using Report = std::function<void(const engine::Info&)>;
    /// Sets the timer that calls wake(), or clears it.
    using WakeAt = std::function<void(std::optional<Time>)>;

    /// Without `wake_at` a time slice ends only when the engine reports something.
    explicit SearchQueue(engine::GeneralInterface& engine,
                         SearchQueuePolicy policy = {},
                         WakeAt wake_at = nullptr);

    /// Queues a job; `done` gets its result exactly once, unless the job is cancelled. `report`
    /// gets the pv of each deeper iteration meanwhile. Nothing when too many jobs of this priority
    /// wait, or too many jobs of this client.
    std::optional<JobId> submit(SearchJob job, Done done, Report report = nullptr);
    /// Drops a job: neither `done` nor `report` is called any more. An unknown id is ignored.
    void cancel(JobId id);
    /// Ends a job now, with the best move found so far. An unknown id is ignored.
    void stop(JobId id);

    /// Whether the next job of this priority, and of this client, would be refused.
    bool is_full(Priority priority, const std::string& client = {}) const;
    /// Calls `retry` once, as soon as such a job would not be refused any more.
    void when_not_full(std::function<void()> retry,
                       Priority priority,
                       const std::string& client = {});

    SearchStatistics statistics() const;

    /// Handles a response of the engine.
    void handle_response(const engine::Response& response);
    /// Ends the running time slice if its time is over.
    void wake();
    /// Drops all jobs and clears the timer. Responses that still come are ignored.
    void close();

    /// The salt of a job: random for each server, and the same for all searches of a game with the
    /// same priority and limits of depth and nodes.
    std::uint64_t salt_of(const SearchJob& job) const;
    /// The time of one player's slice in a round of so many players.
    static engine::Milliseconds slice(const SearchQueuePolicy& policy, std::size_t players);

private:
    enum class Interruption : unsigned char { none, slice_over, preempted };

    struct Retry {
        std::string client;
        std::function<void()> call;
    };
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
    };
    using EntryPtr = std::shared_ptr<Entry>;
    using Entries = std::deque<EntryPtr>;

    void start_next();
    void start_player();
    void start_analysis();
    void start(EntryPtr entry, engine::Limits limits);
    void limit_running_player();
    void set_deadline(std::optional<Time> deadline);
    void interrupt(Interruption why);
    void call_retries(Priority priority);
    std::size_t count_analyses() const;
    std::size_t count_jobs_of(const std::string& client) const;
    EntryPtr remove_waiting(JobId id);

    void handle_info(const engine::Info& info);
    void report();
    void end_slice(const engine::BestMove& best);
    void keep_result(const engine::BestMove& best);
    bool needs_another_slice(const Entry& entry, engine::Milliseconds took) const;
    static void finish(const EntryPtr& entry);

    engine::GeneralInterface& engine_;
    SearchQueuePolicy policy_;
    WakeAt wake_at_;
    std::uint64_t salt_base_;
    SearchStatistics totals_;  ///< its figures since the beginning
    JobId last_id_ = 0;

    Entries players_;  ///< waiting
    Entries analyses_;
    std::array<std::deque<Retry>, 2> retries_;  ///< by priority
    bool is_calling_retries_ = false;
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
    std::optional<engine::explain::Explanation> explanation_;
    std::uint64_t slice_nodes_ = 0;
    std::optional<engine::Info> unreported_;
    Time last_report_;
};

}  // namespace uci::server
