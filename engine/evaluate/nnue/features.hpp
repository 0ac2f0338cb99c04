#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "core/piece.hpp"
#include "core/square.hpp"

#include "engine/evaluate/nnue/architecture.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/evaluate/nnue/threats.hpp"

namespace engine::nnue {

/// How one side sees the board: from its own first rank, and mirrored left to right when its king
/// is on the files e to h, so that the network only sees kings on a to d; and with the weights for
/// its king bucket.
struct Perspective {
    core::Color color{};
    bool mirrored = false;
    std::uint8_t king_bucket = 0;
    friend constexpr bool operator==(const Perspective&, const Perspective&) = default;
};

/// Two colours, mirrored or not: what a perspective sees apart from its king bucket.
inline constexpr std::size_t view_count = 4;
constexpr std::size_t view_of(Perspective perspective) {
    return 2 * core::index_of(perspective.color) + (perspective.mirrored ? 1U : 0U);
}

/// A view with each king bucket.
inline constexpr std::size_t perspective_count = view_count * king_bucket_count;
/// The number of a perspective, from 0 to perspective_count - 1.
constexpr std::size_t index_of(Perspective perspective) {
    return view_of(perspective) * king_bucket_count + perspective.king_bucket;
}

constexpr Perspective perspective_of(core::Color color, core::Square own_king) {
    const auto seen = static_cast<std::size_t>(own_king.relative_square(color).index());
    return {color, own_king.file() >= 4, king_bucket_of[seen]};
}

/// A square as a perspective sees it, 0 to 63.
constexpr std::size_t seen_square(Perspective perspective, core::Square square) {
    const auto relative =
        static_cast<std::size_t>(square.relative_square(perspective.color).index());
    return perspective.mirrored ? relative ^ 7U : relative;
}

/// A piece on a square as a perspective sees it: 384 for the opponent's pieces, plus 64 for each
/// piece type before its own, plus the square as the perspective sees it.
constexpr std::size_t piece_index(Perspective perspective,
                                  core::Color color,
                                  std::size_t type,
                                  core::Square square) {
    return (color == perspective.color ? 0U : 384U) + 64 * type + seen_square(perspective, square);
}

/// The index of the feature that a piece on a square activates: 768 for each king bucket before the
/// perspective's, plus its piece_index().
constexpr std::size_t feature_index(Perspective perspective,
                                    core::Piece piece,
                                    core::Square square) {
    return piece_feature_count * perspective.king_bucket
         + piece_index(perspective, piece.color(), core::index_of(piece.type()), square);
}

/// The weight rows of some active features of a perspective.
class FeatureList {  // NOLINT(cppcoreguidelines-pro-type-member-init): rows_ up to count_
public:
    void add(const Value* weights) {
        assert(count_ < max_size);
        rows_[count_++] = weights;
    }
    WeightRows rows() const { return {rows_.data(), count_}; }

    /// Enough for all threats and the sums of the pawn pairs, and for all pawn pairs.
    static constexpr std::size_t max_size = ThreatList::max_size + 1;

private:
    std::array<const Value*, max_size> rows_;
    std::size_t count_ = 0;
};

}  // namespace engine::nnue
