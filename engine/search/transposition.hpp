#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/move.hpp"
#include "core/zobrist.hpp"

#include "engine/large_memory.hpp"
#include "engine/score.hpp"

namespace engine {

/// What the table remembers of a position. Scores are those of the node that asks.
struct TableEntry {
    std::optional<core::Move> move;
    Score score = draw;
    std::optional<Score> evaluation;  ///< the static evaluation as it was first made
    int depth = 0;
    Bound bound = Bound::none;
    bool on_pv = false;  ///< the position has stood on a principal variation
};

/// The transposition table: what was found out about positions, shared by all threads without
/// locks. An entry is two words, the second kept with the key mixed in: an entry torn by two
/// writers does not match any key (Hyatt and Mann, "A lockless transposition table").
class TranspositionTable {
public:
    /// A table of that many MB; with none to be had it is empty and remembers nothing.
    explicit TranspositionTable(std::size_t megabytes);

    /// Changes the size and forgets everything; false, and the old table stays as it was, when
    /// the memory is not there.
    bool resize(std::size_t megabytes);
    void clear();
    /// A new search begins: what older ones left may be overwritten sooner.
    void grow_older() { generation_ = (generation_ + 1) & generation_mask; }

    /// What is known of a position at a node `ply` plies from the root.
    std::optional<TableEntry> find(core::Key key, int ply) const;
    void store(core::Key key, int ply, const TableEntry& entry);
    /// Brings the place of a position into the cache.
    void prefetch(core::Key key) const;

    /// How many of a thousand entries are from this search.
    int permill_used() const;

private:
    static constexpr unsigned generation_mask = 31;
    static constexpr std::size_t cluster_size = 4;

    struct Slot {
        std::atomic<std::uint64_t> key_and_data;
        std::atomic<std::uint64_t> data;
    };
    struct alignas(64) Cluster {
        std::array<Slot, cluster_size> slots;
    };
    static_assert(sizeof(Cluster) == 64);

    Cluster& cluster_of(core::Key key) const;
    int worth(std::uint64_t data) const;

    LargeMemory memory_;
    std::size_t cluster_count_ = 0;
    unsigned generation_ = 0;
};

}  // namespace engine
