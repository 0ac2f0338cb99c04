#pragma once

#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>

#include "tools/bench/inputs.hpp"

namespace tools::bench {

/// Registers the benchmarks of core/. The inputs must outlive their runs, as below.
void register_core(const Inputs& inputs);
/// Registers those of engine/.
void register_engine(const Inputs& inputs);

/// Reports how many items a second were handled, of so many in each iteration.
inline void count_items(benchmark::State& state, std::size_t each_iteration) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(each_iteration));
}

/// Calls the function for each item in each iteration, and keeps the compiler from leaving out a
/// result that nobody reads.
template <typename Items, typename Function>
void for_each_item(benchmark::State& state, const Items& items, const Function& function) {
    for ([[maybe_unused]] const auto iteration : state) {
        for (const auto& item : items) {
            auto result = function(item);
            benchmark::DoNotOptimize(result);
        }
    }
    count_items(state, items.size());
}

}  // namespace tools::bench
