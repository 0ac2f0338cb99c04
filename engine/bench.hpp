#pragma once

#include <memory>
#include <optional>

#include "engine/commands_responses.hpp"
#include "engine/evaluate/nnue/network.hpp"

namespace engine {

/// Searches a fixed set of positions to a fixed depth with one thread and a table of its own.
/// The number of nodes is the signature of the search: the same for every build of the same
/// source, on every machine and every time. Any command through the link ends it early, and
/// then there is no report.
std::optional<BenchReport> run_bench(std::optional<int> depth,
                                     CommandsResponses& link,
                                     std::shared_ptr<const nnue::Network> network);

}  // namespace engine
