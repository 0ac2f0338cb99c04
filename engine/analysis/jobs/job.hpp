#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/game.hpp"
#include "core/zobrist.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/limits.hpp"
#include "engine/response.hpp"
#include "engine/score.hpp"

// Work that can be done anywhere: in a thread of this process, or by another machine.
namespace engine::jobs {

/// A search, the explanation of a move, or a pause of Limits::movetime, which measures how jobs are
/// handed out without using the processor.
enum class JobKind : unsigned char { search, explanation, pause };

/// A request. A plain value: what comes of a job limited by nodes or depth depends on nothing else.
struct Job {
    core::Game game;
    JobKind kind = JobKind::search;
    Limits limits{};
    int multipv = 1;
    std::optional<core::Move> move{};  ///< to explain; without one the best
    /// MB of the transposition table, which is empty at the beginning.
    std::size_t megabytes = 16;
    core::Key salt = 0;             ///< of the game, as SetGame::salt
    bool uses_tables = false;       ///< endgame tables, where there are any
    bool wants_exact_pvs = false;   ///< JobResult::pvs: the last reports without a bound
    bool wants_iterations = false;  ///< JobResult::iterations
    bool wants_reports = false;     ///< whoever runs it shall send the pvs of each iteration
};

/// What a search had found at some time.
struct Iteration {
    core::Move move{};
    Score score = draw;  ///< normalised()
    int depth = 0;
    std::uint64_t nodes = 0;
    Milliseconds time{0};
};

/// What a job has come to. Scores are for the side to move, normalised().
struct JobResult {
    BestMove best{};
    /// Of a search: the last report on each pv, as many as Job::multipv. Those beyond the legal
    /// moves, and all of a position without legal moves, have no pv.
    std::vector<Info> pvs{};
    std::vector<Iteration> iterations{};  ///< each report on the best pv, if the job wants them
    std::uint64_t nodes = 0;
    Milliseconds time{0};
    std::optional<explain::Explanation> explanation{};
};

}  // namespace engine::jobs
