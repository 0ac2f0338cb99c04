#include "engine/search/transposition.hpp"

#include <algorithm>
#include <cstring>

#include "core/multiply.hpp"

namespace engine {

namespace {

/// Mate scores are stored counted from their own node, not from the root.
Score to_table(Score score, int ply) {
    if (score >= decisive)
        return score + ply;
    return score <= -decisive ? score - ply : score;
}

Score from_table(Score score, int ply) {
    if (score >= decisive)
        return score - ply;
    return score <= -decisive ? score + ply : score;
}

/// No legal move has these bits (a1 to a1), and no score or evaluation this value.
constexpr std::uint16_t no_move = 0;
constexpr int no_evaluation = -32'768;

// The data word, from the low end: move 16, score 16, evaluation 16, depth 8, bound 2, PV 1,
// generation 5.
std::uint64_t pack(const TableEntry& entry, Score score, unsigned generation) {
    const auto word = [](int value) {
        return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value));
    };
    return static_cast<std::uint64_t>(entry.move ? entry.move->bits() : no_move) | word(score) << 16
         | word(entry.evaluation.value_or(no_evaluation)) << 32
         | static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth)) << 48
         | static_cast<std::uint64_t>(entry.bound) << 56
         | static_cast<std::uint64_t>(entry.on_pv ? 1 : 0) << 58
         | static_cast<std::uint64_t>(generation) << 59;
}

core::Move move_in(std::uint64_t data) {
    return core::Move::from_bits(static_cast<std::uint16_t>(data));
}
int score_in(std::uint64_t data) {
    return static_cast<std::int16_t>(data >> 16);
}
int evaluation_in(std::uint64_t data) {
    return static_cast<std::int16_t>(data >> 32);
}
int depth_in(std::uint64_t data) {
    return static_cast<std::uint8_t>(data >> 48);
}
Bound bound_in(std::uint64_t data) {
    return static_cast<Bound>((data >> 56) & 3);
}
bool on_pv_in(std::uint64_t data) {
    return ((data >> 58) & 1) != 0;
}
unsigned generation_in(std::uint64_t data) {
    return static_cast<unsigned>(data >> 59);
}

}  // namespace

TranspositionTable::TranspositionTable(std::size_t megabytes) {
    resize(megabytes);
}

bool TranspositionTable::resize(std::size_t megabytes) {
    LargeMemory memory{megabytes << 20};
    if (memory.data() == nullptr)
        return false;
    memory_ = std::move(memory);
    cluster_count_ = memory_.size() / sizeof(Cluster);
    generation_ = 0;
    return true;
}

void TranspositionTable::clear() {
    if (cluster_count_ > 0)
        std::memset(memory_.data(), 0, memory_.size());
    generation_ = 0;
}

TranspositionTable::Cluster& TranspositionTable::cluster_of(core::Key key) const {
    return static_cast<Cluster*>(memory_.data())[core::high_product(key, cluster_count_)];
}

std::optional<TableEntry> TranspositionTable::find(core::Key key, int ply) const {
    if (cluster_count_ == 0)
        return std::nullopt;
    for (const Slot& slot : cluster_of(key).slots) {
        const auto data = slot.data.load(std::memory_order_relaxed);
        if ((slot.key_and_data.load(std::memory_order_relaxed) ^ data) != key || data == 0)
            continue;
        TableEntry entry;
        if (const auto move = move_in(data); move.bits() != no_move)
            entry.move = move;
        entry.score = from_table(score_in(data), ply);
        if (evaluation_in(data) != no_evaluation)
            entry.evaluation = evaluation_in(data);
        entry.depth = depth_in(data);
        entry.bound = bound_in(data);
        entry.on_pv = on_pv_in(data);
        return entry;
    }
    return std::nullopt;
}

/// How much an entry deserves to stay: deep ones more, old ones less.
int TranspositionTable::worth(std::uint64_t data) const {
    if (data == 0)
        return -max_ply * max_ply;  // an empty slot
    const auto age = (generation_ - generation_in(data)) & generation_mask;
    return depth_in(data) - 8 * static_cast<int>(age);
}

void TranspositionTable::store(core::Key key, int ply, const TableEntry& entry) {
    if (cluster_count_ == 0)
        return;
    Slot* chosen = nullptr;
    std::uint64_t old = 0;
    bool same_position = false;
    for (Slot& slot : cluster_of(key).slots) {
        const auto data = slot.data.load(std::memory_order_relaxed);
        same_position = (slot.key_and_data.load(std::memory_order_relaxed) ^ data) == key;
        if (chosen == nullptr || same_position || worth(data) < worth(old)) {
            chosen = &slot;
            old = data;
        }
        if (same_position)
            break;
    }
    TableEntry kept = entry;
    if (same_position) {
        if (!kept.move && move_in(old).bits() != no_move)
            kept.move = move_in(old);
        const bool worth_it = entry.bound == Bound::exact
                           || entry.depth + 2 * (entry.on_pv ? 1 : 0) > depth_in(old) - 4
                           || generation_in(old) != generation_;
        if (!worth_it)
            return;
    }
    const auto data = pack(kept, to_table(entry.score, ply), generation_);
    chosen->key_and_data.store(key ^ data, std::memory_order_relaxed);
    chosen->data.store(data, std::memory_order_relaxed);
}

void TranspositionTable::prefetch(core::Key key) const {
#if defined(__GNUC__)
    if (cluster_count_ > 0)
        __builtin_prefetch(&cluster_of(key));
#else
    static_cast<void>(key);
#endif
}

int TranspositionTable::permill_used() const {
    const std::size_t sampled = std::min<std::size_t>(cluster_count_, 1000 / cluster_size);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        for (const Slot& slot : static_cast<Cluster*>(memory_.data())[i].slots) {
            const auto data = slot.data.load(std::memory_order_relaxed);
            used += data != 0 && generation_in(data) == generation_ ? 1U : 0U;
        }
    }
    return sampled == 0 ? 0 : static_cast<int>(used * 1000 / (sampled * cluster_size));
}

}  // namespace engine
