#pragma once

namespace engine {

/// How many plies less a late move deserves, by the depth of its node and its number there.
int quiet_reduction(int depth, int move_number);
int noisy_reduction(int depth, int move_number);

}  // namespace engine
