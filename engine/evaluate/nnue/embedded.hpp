#pragma once

#include <memory>

#include "engine/evaluate/nnue/network.hpp"

namespace engine::nnue {

/// The network that is part of the program: current.nnue as it was when the program was built.
/// Read when it is first asked for. tools/train/HISTORY.md tells how it came about.
std::shared_ptr<const Network> embedded_network();

}  // namespace engine::nnue
