#include "engine/search/tt.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

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

bool TranspositionTable::resize(std::size_t megabytes, int threads) {
    const std::size_t old_size = memory_.size();
    // Free the old table first: the machine may not have room for both.
    memory_ = LargeMemory{};
    const bool is_resized = allocate(megabytes << 20);
    if (!is_resized && old_size > 0)
        allocate(old_size);
    // A table beyond the memory that is free is left to the search, which may never fill it.
    if (memory_.size() <= available_memory().value_or(memory_.size()))
        clear(threads);
    return is_resized;
}

void TranspositionTable::clear(int threads) {
    if (cluster_count_ > 0)
        memory_.zero(threads);
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
    Cluster& at = cluster(salted);
    std::size_t chosen = 0;
    std::uint64_t old_bits = 0;
    bool same_position = false;
    for (std::size_t i = 0; i < cluster_size && !same_position; ++i) {
        const auto bits = at.data[i].load(std::memory_order_relaxed);
        same_position =
            bits != 0 && at.check[i].load(std::memory_order_relaxed) == check_of(salted, bits);
        if (i == 0 || same_position || replacement_value(bits) < replacement_value(old_bits)) {
            chosen = i;
            old_bits = bits;
        }
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
    at.check[chosen].store(check_of(salted, entry.bits()), std::memory_order_relaxed);
    at.data[chosen].store(entry.bits(), std::memory_order_relaxed);
}

int TranspositionTable::hashfull() const {
    const std::size_t sampled = std::min<std::size_t>(cluster_count_, 1000 / cluster_size);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        for (const auto& data : static_cast<Cluster*>(memory_.data())[i].data) {
            const auto bits = data.load(std::memory_order_relaxed);
            used += bits != 0 && TTEntry{bits}.generation() == generation_ ? 1U : 0U;
        }
    }
    return sampled == 0 ? 0 : static_cast<int>(used * 1000 / (sampled * cluster_size));
}

}  // namespace engine::search
