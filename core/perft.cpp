#include "core/perft.hpp"

#include <algorithm>

namespace core {

namespace {

/// Below this depth a count takes less than a millisecond and does not check should_stop.
constexpr int shallow = 4;

}  // namespace

std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return static_cast<std::uint64_t>(count_legal_moves(position));
    std::uint64_t leaves = 0;
    for (const Move move : legal_moves(position))
        leaves += perft(position.after(move), depth - 1);
    return leaves;
}

std::optional<std::uint64_t> perft(const Position& position,
                                   int depth,
                                   const std::function<bool()>& should_stop) {
    if (should_stop())
        return std::nullopt;
    if (depth < shallow)
        return perft(position, depth);
    std::uint64_t leaves = 0;
    for (const Move move : legal_moves(position)) {
        const auto below = perft(position.after(move), depth - 1, should_stop);
        if (!below)
            return std::nullopt;
        leaves += *below;
    }
    return leaves;
}

PerftTable::PerftTable(std::size_t megabytes)
    : entries_(std::max<std::size_t>(1, (megabytes << 20) / sizeof(Entry))) {}

std::uint64_t PerftTable::count(const Position& position, int depth) {
    if (depth <= 1)
        return perft(position, depth);
    constexpr int depth_shift = 56;
    Entry& entry = entries_[position.key() % entries_.size()];
    const auto tag = static_cast<std::uint64_t>(depth) << depth_shift;
    constexpr std::uint64_t count_mask = (1ULL << depth_shift) - 1;
    if (entry.key == position.key() && (entry.depth_and_count & ~count_mask) == tag)
        return entry.depth_and_count & count_mask;
    std::uint64_t leaves = 0;
    for (const Move move : legal_moves(position))
        leaves += count(position.after(move), depth - 1);
    entry = {position.key(), tag | (leaves & count_mask)};
    return leaves;
}

}  // namespace core
