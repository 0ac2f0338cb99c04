#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/movegen.hpp"

namespace core {

/// The number of leaves of the tree of legal moves at this depth; 1 at depth 0.
[[nodiscard]] std::uint64_t perft(const Position& position, int depth);

/// The same, but returns nothing as soon as `should_stop` returns true. It is called about once a
/// millisecond.
[[nodiscard]] std::optional<std::uint64_t> perft(const Position& position,
                                                 int depth,
                                                 const std::function<bool()>& should_stop);

/// A hash table of leaf counts by position and depth. Entries hold the whole key, so a wrong count
/// takes two positions with the same 64-bit key.
class PerftTable {
public:
    explicit PerftTable(std::size_t megabytes);

    /// As perft(), using and filling the table.
    [[nodiscard]] std::uint64_t count(const Position& position, int depth);

private:
    struct Entry {
        Key key = 0;
        std::uint64_t depth_and_count = 0;  ///< depth in the highest 8 bits
    };

    std::vector<Entry> entries_;
};

}  // namespace core
