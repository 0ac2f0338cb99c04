#pragma once

#include <memory>

#include "engine/evaluate/nnue/network.hpp"

namespace engine::nnue {

/// The network in the program: current.nnue at the time of the build. Read at the first call.
/// tools/train/HISTORY.md says how it was trained.
std::shared_ptr<const Network> embedded_network();

}  // namespace engine::nnue
