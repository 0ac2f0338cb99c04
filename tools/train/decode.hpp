#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tools/train/record.hpp"

namespace train {

/// What was found in the bytes of a file of games.
struct Decoded {
    std::int64_t games = 0;
    std::int64_t plies = 0;
    std::int64_t records = 0;  ///< of the plies that are training positions
    std::int64_t bytes = 0;    ///< those of the games
    std::array<char, 256>
        complaint{};  ///< why nothing was read beyond these bytes; empty at the end
};

/// Replays games by the rules and writes a record for each position that engine::datagen::is_training_position(),
/// at most one for four bytes. One game in so many, chosen by its own bytes alone, is marked for
/// validation.
Decoded decode(std::string_view bytes, std::uint64_t one_in, Record* records);

}  // namespace train
