#include "engine/search/tt.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

namespace engine::search {

TTEntry::TTEntry(const TTData& data, unsigned generation) {
    assert(data.depth >= 0 && data.depth <= 255);
    assert(std::abs(data.score) <= mate);
    const auto word = [](int value) {
        return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value));
    };
    bits_ = static_cast<std::uint64_t>(data.move ? data.move->bits() : no_move)
          | word(data.score) << score_shift | word(data.eval.value_or(no_eval)) << 32
          | static_cast<std::uint64_t>(static_cast<std::uint8_t>(data.depth)) << 48
          | static_cast<std::uint64_t>(data.bound) << 56
          | static_cast<std::uint64_t>(data.tt_pv ? 1 : 0) << 58
          | static_cast<std::uint64_t>(generation) << 59;
}

TranspositionTable::TranspositionTable(std::size_t megabytes) {
    allocate(megabytes << 20);
}

bool TranspositionTable::allocate(std::size_t bytes) {
    memory_ = LargeMemory{bytes};
    cluster_count_ = memory_.size() / sizeof(Cluster);
    generation_ = 0;
    return cluster_count_ > 0;
}

bool TranspositionTable::resize(std::size_t megabytes) {
    const std::size_t old_size = memory_.size();
    // Free the old table first: the machine may not have room for both.
    memory_ = LargeMemory{};
    if (allocate(megabytes << 20))
        return true;
    if (old_size > 0)
        allocate(old_size);
    return false;
}

void TranspositionTable::clear() {
    if (cluster_count_ > 0)
        std::memset(memory_.data(), 0, memory_.size());
    generation_ = 0;
}

/// Deep entries are kept longer, entries of earlier searches shorter; an empty slot goes first.
int TranspositionTable::replacement_value(std::uint64_t data) const {
    if (data == 0)
        return -max_ply * max_ply;
    const TTEntry entry{data};
    const auto age = (generation_ - entry.generation()) & generation_mask;
    return entry.depth() - 8 * static_cast<int>(age);
}

void TranspositionTable::store(core::Key key, int ply, const TTData& data) {
    if (cluster_count_ == 0)
        return;
    const core::Key salted = key ^ salt_;
    Slot* chosen = nullptr;
    std::uint64_t old_bits = 0;
    bool same_position = false;
    for (Slot& slot : cluster(salted).slots) {
        const auto bits = slot.data.load(std::memory_order_relaxed);
        same_position = (slot.key_xor_data.load(std::memory_order_relaxed) ^ bits) == salted;
        if (chosen == nullptr || same_position
            || replacement_value(bits) < replacement_value(old_bits)) {
            chosen = &slot;
            old_bits = bits;
        }
        if (same_position)
            break;
    }
    TTEntry entry = TTEntry{data, generation_}.relative_to_node(ply);
    if (same_position) {
        const TTEntry old{old_bits};
        // Keep a clearly deeper entry of this search, unless the new score is exact.
        const bool replace = data.bound == Bound::exact
                          || data.depth + 2 * (data.tt_pv ? 1 : 0) > old.depth() - 4
                          || old.generation() != generation_;
        if (!replace)
            return;
        if (const auto old_move = old.move(); old_move && !data.move)
            entry = entry.with_move(*old_move);
    }
    chosen->key_xor_data.store(salted ^ entry.bits(), std::memory_order_relaxed);
    chosen->data.store(entry.bits(), std::memory_order_relaxed);
}

int TranspositionTable::hashfull() const {
    const std::size_t sampled = std::min<std::size_t>(cluster_count_, 1000 / cluster_size);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        for (const Slot& slot : static_cast<Cluster*>(memory_.data())[i].slots) {
            const auto bits = slot.data.load(std::memory_order_relaxed);
            used += bits != 0 && TTEntry{bits}.generation() == generation_ ? 1U : 0U;
        }
    }
    return sampled == 0 ? 0 : static_cast<int>(used * 1000 / (sampled * cluster_size));
}

}  // namespace engine::search
