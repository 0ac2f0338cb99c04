#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tools/train/record.hpp"

namespace train {

/// The scores of the records: those that the searches found; or smoothed, a mean of those of the
/// ply, of the one before and of the next ones (decode.cpp).
enum class Scores : std::int32_t { searched, smoothed };

/// How games become records. kernel.py has the same members.
struct Decoding {
    /// One game in so many, chosen by a hash of its bytes, is marked for validation, with its
    /// sidelines.
    std::int64_t one_in = 1;
    Scores scores = Scores::searched;
};

/// What was found in the bytes of a file of games. kernel.py has the same members.
struct Decoded {
    std::int64_t games = 0;
    std::int64_t plies = 0;    ///< of games and sidelines
    std::int64_t records = 0;  ///< of the plies that are training positions
    std::int64_t bytes = 0;    ///< up to the end of the last game
    /// Why nothing was read beyond these bytes; empty when they are all.
    std::array<char, 256> warning{};
};

/// Replays games by the rules and writes a record for each position that satisfies
/// engine::datagen::is_training_position(), at most one for four bytes.
Decoded decode(std::string_view bytes, const Decoding& decoding, Record* records);

}  // namespace train
