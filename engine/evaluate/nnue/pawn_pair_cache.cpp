#include "engine/evaluate/nnue/pawn_pair_cache.hpp"

#include <algorithm>

#include "engine/evaluate/nnue/forward.hpp"

namespace engine::nnue {

namespace {

/// The pawns of an entry that has not been computed: no position has them.
constexpr Pawns not_computed{core::Bitboard{~0ULL}, core::Bitboard{~0ULL}};

}  // namespace

PawnPairCache::PawnPairCache(const Network& network, const Kernels& kernels)
    : network_{&network},
      kernels_{&kernels},
      pawns_(entry_count, not_computed),
      values_{aligned_values(entry_count * network.hidden_size())} {
    pawns_[no_pawns] = {};
    std::fill_n(values(no_pawns), network.hidden_size(), Value{0});
    last_.fill(no_pawns);
}

const Value* PawnPairCache::sums(const core::Position& position, Perspective perspective) {
    const std::size_t view = view_of(perspective);
    const std::size_t entry =
        view * entries_per_view + position.part_keys().pawns % entries_per_view;
    const Pawns pawns = pawns_of(position);
    if (pawns_[entry] != pawns) {
        const std::size_t like = last_[view];
        change_pawn_pairs(*network_, *kernels_, perspective, {pawns_[like], values(like)},
                          {pawns, values(entry)});
        pawns_[entry] = pawns;
    }
    last_[view] = entry;
    return values(entry);
}

}  // namespace engine::nnue
