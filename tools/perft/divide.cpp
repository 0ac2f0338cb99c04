#include "tools/perft/divide.hpp"

#include <atomic>
#include <optional>
#include <thread>

#include "core/movegen.hpp"
#include "core/perft.hpp"

namespace tools::perft {

namespace {

/// Smaller trees are counted faster than a thread starts.
constexpr int min_threaded_depth = 4;

/// A subtree for one thread to count.
struct Task {
    core::Position position;
    std::size_t root_move;  ///< index in the list of root moves
    std::uint64_t leaves = 0;
};

/// One task for each root move, or for each reply, so that all threads finish at about the same
/// time.
std::vector<Task> split(const core::Position& position, bool at_replies) {
    std::vector<Task> tasks;
    std::size_t root_move = 0;
    for (const core::Move move : core::legal_moves(position)) {
        const core::Position child = position.after(move);
        if (at_replies) {
            for (const core::Move reply : core::legal_moves(child))
                tasks.push_back({child.after(reply), root_move});
        }
        else {
            tasks.push_back({child, root_move});
        }
        ++root_move;
    }
    return tasks;
}

/// Runs in each thread: counts tasks until none is left.
void count_tasks(std::vector<Task>& tasks,
                 std::atomic<std::size_t>& next,
                 int depth,
                 core::PerftTable* table) {
    for (;;) {
        // Relaxed: only the index is shared. The tasks were written before the threads started and
        // are read after they have been joined.
        const auto taken = next.fetch_add(1, std::memory_order_relaxed);
        if (taken >= tasks.size())
            return;
        Task& task = tasks[taken];
        task.leaves = table != nullptr ? table->count(task.position, depth)
                                       : core::perft(task.position, depth);
    }
}

}  // namespace

std::vector<MoveCount> divide(const core::Position& position,
                              int depth,
                              const Resources& resources) {
    const bool in_parallel = resources.threads > 1 && depth >= min_threaded_depth;
    auto tasks = split(position, in_parallel);
    const int depth_left = depth - (in_parallel ? 2 : 1);
    const int threads = in_parallel ? resources.threads : 1;
    std::optional<core::PerftTable> shared;
    if (resources.hash_megabytes > 0)
        shared.emplace(static_cast<std::size_t>(resources.hash_megabytes));
    core::PerftTable* table = shared ? &*shared : nullptr;

    std::atomic<std::size_t> next = 0;
    {
        std::vector<std::jthread> helpers;
        for (int i = 1; i < threads; ++i)
            helpers.emplace_back([&] { count_tasks(tasks, next, depth_left, table); });
        count_tasks(tasks, next, depth_left, table);
    }

    std::vector<MoveCount> counts;
    for (const core::Move move : core::legal_moves(position))
        counts.push_back({move});
    for (const Task& task : tasks)
        counts[task.root_move].leaves += task.leaves;
    return counts;
}

std::uint64_t count_leaves(const core::Position& position, int depth, const Resources& resources) {
    if (depth <= 1)
        return core::perft(position, depth);
    std::uint64_t leaves = 0;
    for (const MoveCount& count : divide(position, depth, resources))
        leaves += count.leaves;
    return leaves;
}

}  // namespace tools::perft
