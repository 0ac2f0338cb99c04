#pragma once

#include <cstddef>

#include "engine/analysis/jobs/job.hpp"

#include "uci/server/queue/job_streams.hpp"
#include "uci/server/search_queue.hpp"

// The searches of a server as jobs that any process can do.
namespace uci::server::queue {

/// What the engine of a server is set to, and therefore its jobs.
struct SearchJobSettings {
    std::size_t megabytes = 64;  ///< of the transposition table
    bool uses_tables = false;    ///< endgame tables
};

/// Whether a worker can do it. The static evaluation of a position takes less time than asking for
/// it.
bool can_travel(const SearchJob& job);

/// A move that a game waits for is a player's; a hint and an explanation rank as analyses.
JobPriority priority_of(const SearchJob& job);

/// The job for a search. What its clock has lost since the limits were made is subtracted.
engine::jobs::Job job_of(const SearchJob& search,
                         const SearchJobSettings& settings,
                         bool wants_reports);

/// The result of a search, as the server's own engine would have reported it.
SearchResult search_result_of(engine::jobs::JobResult result, const SearchJob& search);

}  // namespace uci::server::queue
