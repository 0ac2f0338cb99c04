#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "core/move.hpp"
#include "core/multiply.hpp"
#include "core/zobrist.hpp"

#include "engine/large_memory.hpp"
#include "engine/score.hpp"

namespace engine {

/// What was found out about a position and is to be remembered.
struct Finding {
    std::optional<core::Move> move;
    Score score = draw;
    std::optional<Score> evaluation;  ///< the static evaluation as it was first made
    int depth = 0;
    Bound bound = Bound::none;
    bool on_pv = false;  ///< the position has stood on a principal variation
};

/// What the table remembers of a position: a finding in one word, because little of it is looked
/// at most times. From the low end: move 16, score 16, evaluation 16, depth 8, bound 2, PV 1,
/// generation 5. Scores are counted from the node that the entry belongs to, as the table keeps
/// them, or from the root.
class TableEntry {
public:
    explicit TableEntry(std::uint64_t bits) : bits_{bits} {}
    TableEntry(const Finding& finding, unsigned generation);

    std::optional<core::Move> move() const {
        const auto bits = static_cast<std::uint16_t>(bits_);
        if (bits == no_move)
            return std::nullopt;
        return core::Move::from_bits(bits);
    }
    Score score() const { return static_cast<std::int16_t>(bits_ >> score_at); }
    std::optional<Score> evaluation() const {
        const Score evaluation = static_cast<std::int16_t>(bits_ >> 32);
        if (evaluation == no_evaluation)
            return std::nullopt;
        return evaluation;
    }
    int depth() const { return static_cast<std::uint8_t>(bits_ >> 48); }
    Bound bound() const { return static_cast<Bound>((bits_ >> 56) & 3); }
    bool on_pv() const { return ((bits_ >> 58) & 1) != 0; }
    unsigned generation() const { return static_cast<unsigned>(bits_ >> 59); }
    std::uint64_t bits() const { return bits_; }

    TableEntry with_move(core::Move move) const {
        return TableEntry{(bits_ & ~std::uint64_t{0xFFFF}) | move.bits()};
    }
    /// Mates counted from a root so many plies away, and back from there.
    TableEntry seen_from_root(int ply) const { return with_mates_moved(-ply); }
    TableEntry seen_from_itself(int ply) const { return with_mates_moved(ply); }

private:
    static constexpr int score_at = 16;
    // No legal move has these bits (a1 to a1), and no evaluation this value.
    static constexpr std::uint16_t no_move = 0;
    static constexpr Score no_evaluation = -32'768;

    TableEntry with_mates_moved(int plies) const {
        if (!is_decisive(score()))
            return *this;
        const auto moved = static_cast<std::uint16_t>(score() + (score() > 0 ? plies : -plies));
        return TableEntry{(bits_ & ~(std::uint64_t{0xFFFF} << score_at))
                          | std::uint64_t{moved} << score_at};
    }

    std::uint64_t bits_;
};

static_assert(sizeof(TableEntry) == 8);

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
    std::optional<TableEntry> find(core::Key key, int ply) const {
        if (cluster_count_ == 0)
            return std::nullopt;
        for (const Slot& slot : cluster_of(key).slots) {
            const auto data = slot.data.load(std::memory_order_relaxed);
            if ((slot.key_and_data.load(std::memory_order_relaxed) ^ data) == key && data != 0)
                return TableEntry{data}.seen_from_root(ply);
        }
        return std::nullopt;
    }
    void store(core::Key key, int ply, const Finding& finding);
    /// Brings the place of a position into the cache.
    void prefetch(core::Key key) const {
#if defined(__GNUC__)
        if (cluster_count_ > 0)
            __builtin_prefetch(&cluster_of(key));
#else
        static_cast<void>(key);
#endif
    }

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

    Cluster& cluster_of(core::Key key) const {
        return static_cast<Cluster*>(memory_.data())[core::high_product(key, cluster_count_)];
    }
    int worth(std::uint64_t data) const;

    LargeMemory memory_;
    std::size_t cluster_count_ = 0;
    unsigned generation_ = 0;
};

}  // namespace engine
