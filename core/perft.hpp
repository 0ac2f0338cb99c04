#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/leaf_counter.hpp"
#include "core/movegen.hpp"

namespace core {

/// The number of leaves of the tree of legal moves at this depth; 1 at depth 0.
[[nodiscard]] std::uint64_t perft(const Position& position, int depth);

/// The same with the given counter of leaves, to compare counters.
[[nodiscard]] std::uint64_t perft(const Position& position, int depth, const LeafCounter& counter);

/// The same, but returns nothing as soon as `should_stop` returns true. It is called about once a
/// millisecond.
[[nodiscard]] std::optional<std::uint64_t> perft(const Position& position,
                                                 int depth,
                                                 const std::function<bool()>& should_stop);

/// A hash table of leaf counts by position and depth, for any number of threads at once. An entry
/// is checked by all 64 bits of the key, so a wrong count takes two positions with the same key.
class PerftTable {
public:
    explicit PerftTable(std::size_t megabytes);

    /// As perft(), using and filling the table.
    [[nodiscard]] std::uint64_t count(const Position& position, int depth);

private:
    /// Lock-free: `check` is the key xor `depth_and_count`, so an entry of which two threads wrote
    /// one half each fits no position (https://www.chessprogramming.org/Shared_Hash_Table#Xor).
    struct Entry {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> depth_and_count{0};  ///< depth in the highest 8 bits
    };

    std::vector<Entry> entries_;
};

}  // namespace core
