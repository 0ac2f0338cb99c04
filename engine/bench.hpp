#pragma once

#include <optional>

#include "engine/evaluate/evaluate.hpp"
#include "engine/response.hpp"
#include "engine/search_listener.hpp"

namespace engine {

/// Searches a fixed set of positions to a fixed depth with one thread and its own transposition
/// table. The number of nodes is the signature of the search: the same for every build of the
/// same source, on every machine. Returns nothing if the listener has stopped it.
std::optional<BenchReport> run_bench(std::optional<int> depth,
                                     const evaluate::Evaluate& evaluate,
                                     SearchListener& listener);

}  // namespace engine
