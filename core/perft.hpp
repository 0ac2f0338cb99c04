#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/movegen.hpp"

namespace core {

/// How many sequences of legal moves of this length there are from a position. Depth 0 is 1.
std::uint64_t perft(const Position& position, int depth);

/// The same, given up with nothing as soon as `should_stop` says so; it is asked about once a
/// millisecond.
std::optional<std::uint64_t> perft(const Position& position,
                                   int depth,
                                   const std::function<bool()>& should_stop);

/// Counts that were found before, by position and depth. Entries hold the whole key, so a
/// wrong count needs two positions with the same 64 bits.
class PerftTable {
public:
    explicit PerftTable(std::size_t megabytes);

    /// As perft() above, remembering what it finds.
    std::uint64_t count(const Position& position, int depth);

private:
    struct Entry {
        Key key = 0;
        std::uint64_t depth_and_count = 0;  ///< depth in the highest 8 bits
    };

    std::vector<Entry> entries_;
};

}  // namespace core
