#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "core/move.hpp"
#include "core/multiply.hpp"
#include "core/zobrist.hpp"

#include "engine/large_memory.hpp"
#include "engine/score.hpp"

namespace engine::search {

/// What a search stores about a position.
struct TTData {
    std::optional<core::Move> move;
    Score score = draw;
    std::optional<Score> eval;  ///< the raw static evaluation
    int depth = 0;
    Bound bound = Bound::none;
    bool tt_pv = false;  ///< the position is, or once was, on a principal variation
};

/// A TTData packed into one word, because most probes read little of it. From the low end: move 16,
/// score 16, eval 16, depth 8, bound 2, tt_pv 1, generation 5. Mate scores count from the
/// entry's own node inside the table, and from the root outside.
class TTEntry {
public:
    explicit TTEntry(std::uint64_t bits) : bits_{bits} {}
    TTEntry(const TTData& data, unsigned generation);

    std::optional<core::Move> move() const {
        const auto bits = static_cast<std::uint16_t>(bits_);
        if (bits == no_move)
            return std::nullopt;
        return core::Move::from_bits(bits);
    }
    Score score() const { return static_cast<std::int16_t>(bits_ >> score_shift); }
    std::optional<Score> eval() const {
        const Score eval = static_cast<std::int16_t>(bits_ >> 32);
        if (eval == no_eval)
            return std::nullopt;
        return eval;
    }
    int depth() const { return static_cast<std::uint8_t>(bits_ >> 48); }
    Bound bound() const { return static_cast<Bound>((bits_ >> 56) & 3); }
    bool tt_pv() const { return ((bits_ >> 58) & 1) != 0; }
    unsigned generation() const { return static_cast<unsigned>(bits_ >> 59); }
    std::uint64_t bits() const { return bits_; }

    TTEntry with_move(core::Move move) const {
        return TTEntry{(bits_ & ~std::uint64_t{0xFFFF}) | move.bits()};
    }
    /// Converts mate scores: counted from the root, or from the node itself, which is at this ply.
    TTEntry relative_to_root(int ply) const { return with_mate_distance(ply); }
    TTEntry relative_to_node(int ply) const { return with_mate_distance(-ply); }

private:
    static constexpr int score_shift = 16;
    // No legal move has these bits (a1 to a1), and no static evaluation this value.
    static constexpr std::uint16_t no_move = 0;
    static constexpr Score no_eval = -32'768;

    /// Adds plies to the distance of a mate or tablebase score.
    TTEntry with_mate_distance(int plies) const {
        if (!is_decisive(score()))
            return *this;
        const auto moved = static_cast<std::uint16_t>(score() + (score() > 0 ? -plies : plies));
        return TTEntry{(bits_ & ~(std::uint64_t{0xFFFF} << score_shift))
                       | std::uint64_t{moved} << score_shift};
    }

    std::uint64_t bits_;
};

static_assert(sizeof(TTEntry) == 8);

/// The transposition table: search results by position, shared by all threads without locks. With
/// each entry goes a check word, half of the key XOR the data, so that an entry torn by two writers
/// matches no key (Hyatt and Mann, "A lockless transposition table"). The other half of the key
/// chooses the cluster: two positions are taken for one with a probability below 2^-29.
class TranspositionTable {
public:
    /// Allocates that many MB. If the system refuses, the table is empty and stores nothing.
    explicit TranspositionTable(std::size_t megabytes);

    /// Changes the size and forgets everything, with that many threads. False if the system refuses
    /// the memory: then the size is the old one, and the table is empty.
    bool resize(std::size_t megabytes, int threads);
    void clear(int threads);
    /// Starts a new generation: entries of earlier searches are replaced first.
    void new_search() { generation_ = (generation_ + 1) & generation_mask; }
    /// Mixes this into every key: entries stored under another salt are not found.
    void set_salt(core::Key salt) { salt_ = salt; }

    /// The entry of a position that is `ply` plies from the root.
    std::optional<TTEntry> probe(core::Key key, int ply) const {
        if (cluster_count_ == 0)
            return std::nullopt;
        const core::Key salted = key ^ salt_;
        const Cluster& at = cluster(salted);
        for (std::size_t i = 0; i < cluster_size; ++i) {
            const auto data = at.data[i].load(std::memory_order_relaxed);
            if (at.check[i].load(std::memory_order_relaxed) == check_of(salted, data) && data != 0)
                return TTEntry{data}.relative_to_root(ply);
        }
        return std::nullopt;
    }
    void store(core::Key key, int ply, const TTData& data);
    /// Loads the cluster of a position into the cache.
    void prefetch(core::Key key) const {
#if defined(__GNUC__)
        if (cluster_count_ > 0)
            __builtin_prefetch(&cluster(key ^ salt_));
#else
        static_cast<void>(key);
#endif
    }

    /// What the bytes mean: another number whenever an entry, a cluster or the choice of a cluster
    /// changes, so that a file with other entries is not taken for one of these.
    static constexpr std::uint32_t layout = 2;
    /// All entries as bytes, for save_tt_file() and load_tt_file().
    std::span<std::byte> bytes() {
        return {static_cast<std::byte*>(memory_.data()), cluster_count_ * sizeof(Cluster)};
    }
    unsigned generation() const {
        return generation_;
    }
    /// The entries have been replaced by others of which this is the generation.
    void set_generation(unsigned generation) {
        generation_ = generation & generation_mask;
    }

    /// How many entries in a thousand were stored by the present search, estimated from a sample.
    int hashfull() const;

private:
    static constexpr unsigned generation_mask = 31;
    static constexpr std::size_t cluster_size = 5;

    /// One line of the cache: five entries of 12 bytes.
    struct alignas(64) Cluster {
        std::array<std::atomic<std::uint64_t>, cluster_size> data;
        std::array<std::atomic<std::uint32_t>, cluster_size> check;
    };
    static_assert(sizeof(Cluster) == 64);

    static std::uint32_t check_of(core::Key salted, std::uint64_t data) {
        return static_cast<std::uint32_t>(salted ^ data ^ (data >> 32));
    }

    bool allocate(std::size_t bytes);
    Cluster& cluster(core::Key salted) const {
        return static_cast<Cluster*>(memory_.data())[core::mul_hi64(salted, cluster_count_)];
    }
    int replacement_value(std::uint64_t data) const;

    LargeMemory memory_;
    std::size_t cluster_count_ = 0;
    unsigned generation_ = 0;
    core::Key salt_ = 0;
};

}  // namespace engine::search
