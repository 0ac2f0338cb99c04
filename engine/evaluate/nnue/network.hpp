#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/result.hpp"

#include "engine/evaluate/nnue/architecture.hpp"
#include "engine/score.hpp"

// The file of a network. All numbers are little-endian.
//
//   4 bytes   PNUE
//   4         version of the format: 1
//   4         architecture: 1, as told in architecture.hpp
//   4         N, the hidden values of a view: a multiple of 32
//   4         qa: 255
//   4         qb
//   4         scale: how many centipawns an output of 1 is
//   4         flags: bit 0, views are mirrored; always set
//   8         a hash that stands for the training run
//   4         CRC-32 of everything behind this header
//   4         how many bytes that is
//  16         zeros
//
// and then, each filled up with zeros to a multiple of 64 bytes:
//
//   W         768 rows of N 16-bit numbers, in the order of the features
//   b         N 16-bit numbers
//   w         2 rows of N 16-bit numbers: the own view, the other view
//   c         a 32-bit number
namespace engine::nnue {

/// The weights of a network. Does not change, and may be used by many threads.
class Network {
public:
    /// The network that a file's bytes hold, or why they hold none.
    static core::Result<std::shared_ptr<const Network>> read(std::span<const std::byte> bytes);
    /// The same for a file; its reasons do not name it.
    static core::Result<std::shared_ptr<const Network>> load(const std::string& path);

    std::size_t width() const { return width_; }
    /// Stands for the training run.
    std::uint64_t hash() const { return hash_; }

    const Value* row(std::size_t feature) const { return weights_.get() + feature * width_; }
    const Value* biases() const { return row(feature_count); }
    const Value* own_weights() const { return biases() + width_; }
    const Value* other_weights() const { return own_weights() + width_; }

    /// The score in centipawns for the player to move that belongs to the sums of both views.
    Score score_of(std::int32_t sum) const {
        constexpr std::int64_t qa = 255;
        const std::int64_t output = std::int64_t{sum} / qa + output_bias_;
        return static_cast<Score>(output * scale_ / (qa * qb_));
    }

private:
    struct Free {
        void operator()(Value* values) const;
    };

    Network() = default;

    std::size_t width_ = 0;
    std::uint64_t hash_ = 0;
    std::int32_t qb_ = 1;
    std::int32_t scale_ = 1;
    std::int32_t output_bias_ = 0;
    std::unique_ptr<Value[], Free> weights_;  ///< all rows of W, then b, then those of w
};

}  // namespace engine::nnue
