#include "engine/search/transposition.hpp"

#include <algorithm>
#include <cstring>

namespace engine {

TableEntry::TableEntry(const Finding& finding, unsigned generation) {
    const auto word = [](int value) {
        return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value));
    };
    bits_ = static_cast<std::uint64_t>(finding.move ? finding.move->bits() : no_move)
          | word(finding.score) << score_at | word(finding.evaluation.value_or(no_evaluation)) << 32
          | static_cast<std::uint64_t>(static_cast<std::uint8_t>(finding.depth)) << 48
          | static_cast<std::uint64_t>(finding.bound) << 56
          | static_cast<std::uint64_t>(finding.on_pv ? 1 : 0) << 58
          | static_cast<std::uint64_t>(generation) << 59;
}

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

/// How much an entry deserves to stay: deep ones more, old ones less.
int TranspositionTable::worth(std::uint64_t data) const {
    if (data == 0)
        return -max_ply * max_ply;  // an empty slot
    const TableEntry entry{data};
    const auto age = (generation_ - entry.generation()) & generation_mask;
    return entry.depth() - 8 * static_cast<int>(age);
}

void TranspositionTable::store(core::Key key, int ply, const Finding& finding) {
    if (cluster_count_ == 0)
        return;
    Slot* chosen = nullptr;
    std::uint64_t old_data = 0;
    bool same_position = false;
    for (Slot& slot : cluster_of(key).slots) {
        const auto data = slot.data.load(std::memory_order_relaxed);
        same_position = (slot.key_and_data.load(std::memory_order_relaxed) ^ data) == key;
        if (chosen == nullptr || same_position || worth(data) < worth(old_data)) {
            chosen = &slot;
            old_data = data;
        }
        if (same_position)
            break;
    }
    TableEntry entry = TableEntry{finding, generation_}.seen_from_itself(ply);
    if (same_position) {
        const TableEntry old{old_data};
        const bool worth_it = finding.bound == Bound::exact
                           || finding.depth + 2 * (finding.on_pv ? 1 : 0) > old.depth() - 4
                           || old.generation() != generation_;
        if (!worth_it)
            return;
        if (const auto known = old.move(); known && !finding.move)
            entry = entry.with_move(*known);
    }
    chosen->key_and_data.store(key ^ entry.bits(), std::memory_order_relaxed);
    chosen->data.store(entry.bits(), std::memory_order_relaxed);
}

int TranspositionTable::permill_used() const {
    const std::size_t sampled = std::min<std::size_t>(cluster_count_, 1000 / cluster_size);
    std::size_t used = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        for (const Slot& slot : static_cast<Cluster*>(memory_.data())[i].slots) {
            const auto data = slot.data.load(std::memory_order_relaxed);
            used += data != 0 && TableEntry{data}.generation() == generation_ ? 1U : 0U;
        }
    }
    return sampled == 0 ? 0 : static_cast<int>(used * 1000 / (sampled * cluster_size));
}

}  // namespace engine
