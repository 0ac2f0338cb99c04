#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/game.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/limits.hpp"
#include "engine/response.hpp"

namespace uci::server {

/// A player waits for a move in a game; an analysis, or a review, runs only while no player waits.
enum class Priority : unsigned char { player, analysis };

/// A search, only the static evaluation of the position, or the explanation of a move.
enum class JobKind : unsigned char { search, evaluation, explanation };

/// What becomes of a player's search whose time slice ends while others wait: it finishes with
/// the best move found so far, or it waits for its next slice until its own time is used up.
enum class SliceEnd : unsigned char { finish, resume };

/// Which jobs of one client are limited together: analyses, which run on without an answer that
/// somebody waits for, do not use up the client's searches.
enum class Quota : unsigned char { searches, analyses };

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
    Quota quota = Quota::searches;   ///< of the client
    bool is_hint = false;            ///< workers do moves of games first
    std::uint64_t salt = 0;          ///< of engine::SetGame; submit() fills it in by salt_of()
};

/// What a search has found. A plain value.
struct SearchResult {
    /// The move, the expected reply and the score; the score alone of an evaluation.
    engine::BestMove best;
    engine::Info info;  ///< of the deepest iteration with an exact score: depth, nodes, pv
    /// With multipv above 1: such an Info for each pv, the best first; `pv` is empty in those
    /// beyond the legal moves. Otherwise empty.
    std::vector<engine::Info> pvs;
    /// Of a job of kind explanation; nothing if it was not finished in its time.
    std::optional<engine::explain::Explanation> explanation;
};

/// How a server divides the engine's time among its games.
struct SearchQueuePolicy {
    std::size_t max_waiting_players = 100;
    std::size_t max_analyses = 100;
    /// Jobs of one client, waiting and running, of both priorities: by their quota.
    std::size_t max_jobs_per_client = 20;
    std::size_t max_analyses_per_client = 10;
    /// All players who wait when a round begins share its time.
    engine::Milliseconds player_round{4'000};
    engine::Milliseconds min_player_slice{5};
    /// The time of one analysis before the next, when there are several.
    engine::Milliseconds analysis_slice{1'000};
    /// An explanation begins again after each interruption. Players interrupt it at once the first
    /// time, and then let it run for at least this long, each time for twice as long as before, up
    /// to the second figure: so it ends even where players always wait.
    engine::Milliseconds explanation_slice{500};
    engine::Milliseconds max_explanation_slice{2'000};
    engine::Milliseconds report_interval{150};
    /// Empties the transposition table before searches that no time limits, so that their results
    /// are those of any other process: for a server whose searches are also done by others.
    bool clears_table = false;

    std::size_t max_jobs_of_client(Quota quota) const {
        return quota == Quota::searches ? max_jobs_per_client : max_analyses_per_client;
    }
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

/// The searches of a server's games. Each game submits what it wants to know; the queue decides
/// when and where it is searched, and limits what waits. Belongs to one thread.
class SearchQueue {
public:
    using Time = std::chrono::steady_clock::time_point;
    using JobId = std::uint64_t;
    using Done = std::function<void(const SearchResult&)>;
    /// Gets the pvs of an iteration, the best first: as many as the job asks for and the position
    /// has moves.
    using Report = std::function<void(const std::vector<engine::Info>& pvs)>;
    /// Sets the timer that calls the queue's wake(), or clears it.
    using WakeAt = std::function<void(std::optional<Time>)>;

    virtual ~SearchQueue() = default;
    SearchQueue(const SearchQueue&) = delete;
    SearchQueue& operator=(const SearchQueue&) = delete;
    SearchQueue(SearchQueue&&) = delete;
    SearchQueue& operator=(SearchQueue&&) = delete;

    /// Queues a job; `done` gets its result exactly once, unless the job is cancelled. `report`
    /// gets the pvs of each deeper iteration meanwhile. Nothing when too many jobs of this priority
    /// wait, or too many jobs of this client.
    virtual std::optional<JobId> submit(SearchJob job, Done done, Report report = nullptr) = 0;
    /// Drops a job: neither `done` nor `report` is called any more. An unknown id is ignored.
    virtual void cancel(JobId id) = 0;
    /// Ends a job now, with the best move found so far. An unknown id is ignored.
    virtual void stop(JobId id) = 0;

    /// Whether the next job of this priority, and of this client and quota, would be refused.
    virtual bool is_full(Priority priority,
                         const std::string& client = {},
                         Quota quota = Quota::searches) const = 0;
    /// Calls `retry` once, as soon as such a job would not be refused any more.
    void when_not_full(std::function<void()> retry,
                       Priority priority,
                       const std::string& client = {},
                       Quota quota = Quota::searches);

    virtual SearchStatistics statistics() const = 0;

    /// The salt of a job: random for each server, and the same for all searches of a game with the
    /// same priority and limits of depth and nodes.
    std::uint64_t salt_of(const SearchJob& job) const;
    /// The time of one player's slice in a round of so many players.
    static engine::Milliseconds slice(const SearchQueuePolicy& policy, std::size_t players);

protected:
    SearchQueue();

    /// Calls what waits for a place, while there are places.
    void call_retries(Priority priority);
    void drop_retries() { retries_ = {}; }

private:
    struct Retry {
        std::string client;
        Quota quota;
        std::function<void()> call;
    };

    std::uint64_t salt_base_;
    std::array<std::deque<Retry>, 2> retries_;  ///< by priority
    bool is_calling_retries_ = false;
};

}  // namespace uci::server
