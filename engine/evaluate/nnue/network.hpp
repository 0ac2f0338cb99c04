#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "engine/evaluate/nnue/architecture.hpp"
#include "engine/evaluate/nnue/threats.hpp"
#include "engine/large_memory.hpp"
#include "engine/score.hpp"

// The file of a network. All numbers are little-endian.
//
//   4 bytes   PNUE
//   4         version of the format: 6
//   4         architecture: 6, the one in architecture.hpp
//   4         N, the hidden values of a perspective: a multiple of 32
//   4         qa: 255
//   4         qb
//   4         scale: the centipawns of an output of 1
//   4         flags: bit 0, perspectives are mirrored; always set
//   8         an identifier of the training run
//   4         CRC-32 of everything behind this header
//   4         how many bytes that is
//  16         zeros
//
// and then, each padded with zeros to a multiple of 64 bytes:
//
//   W         4 times 768 rows of N 16-bit numbers, in the order of the features
//   T         6 times 768 rows of N 8-bit numbers: for each kind of threat
//   P         1488 rows of N 8-bit numbers: for each pair of pawns
//   b         N 16-bit numbers
//   w         8 times 2 rows of N 16-bit numbers: for each output bucket the side to move, the
//             other side
//   c         8 32-bit numbers
//
// Older files are read too; their architecture has the number of their version. Those of version 5
// have no P, and 16-bit numbers in T. Those of version 4 also know only the first two kinds of
// threats: 2 times 768 rows T. Those of version 3 have no T. Those of version 2 also have 768 rows
// W for all king buckets, those of version 1 also one pair of rows w and one number c for all
// output buckets.
namespace engine::nnue {

/// The weights of a network. Immutable, so many threads may share it.
class Network {
public:
    /// Reads a network file's bytes. Error: why they are no network that this engine can use. A
    /// network is refused if its weights could overflow any kernel's integers.
    static core::Result<std::shared_ptr<const Network>> read(std::span<const std::byte> bytes);
    /// Reads a network file, which must be a regular file. The error does not repeat the path.
    static core::Result<std::shared_ptr<const Network>> load(const std::string& path);

    /// N in architecture.hpp.
    std::size_t hidden_size() const { return hidden_size_; }
    /// Identifies the training run.
    std::uint64_t hash() const { return hash_; }
    /// The CRC-32 of the weights in the file.
    std::uint32_t checksum() const { return checksum_; }

    /// The N weights of a feature.
    const Value* feature_weights(std::size_t feature) const {
        assert(feature < feature_count);
        return weights() + feature * hidden_size_;
    }
    /// Whether the network has weights for threats; without them all are zero.
    bool knows_threats() const { return knows_threats_; }
    /// The N weights of a threat of a kind: see piece_index().
    const Value* threat_weights(ThreatKind kind, std::size_t piece) const {
        assert(piece < piece_feature_count);
        const auto first = feature_count + static_cast<std::size_t>(kind) * piece_feature_count;
        return weights() + (first + piece) * hidden_size_;
    }
    /// Whether the network has weights for pairs of pawns; without them all are zero.
    bool knows_pawn_pairs() const { return knows_pawn_pairs_; }
    /// The N weights of a pair of pawns: see PawnPairs.
    const Value* pawn_pair_weights(std::size_t pair) const {
        assert(pair < pawn_pair_count);
        return weights() + (feature_count + threat_feature_count + pair) * hidden_size_;
    }
    const Value* biases() const {
        return weights() + (feature_count + threat_feature_count + pawn_pair_count) * hidden_size_;
    }
    const Value* stm_weights(std::size_t output_bucket) const {
        assert(output_bucket < output_bucket_count);
        return biases() + (1 + 2 * output_bucket) * hidden_size_;
    }
    const Value* ntm_weights(std::size_t output_bucket) const {
        return stm_weights(output_bucket) + hidden_size_;
    }

    /// The score in centipawns for the side to move, from the screlu_dot of both perspectives.
    Score score_of(std::int32_t sum, std::size_t output_bucket) const {
        const std::int64_t output = std::int64_t{sum} / qa + output_biases_[output_bucket];
        return static_cast<Score>(output * scale_ / (std::int64_t{qa} * qb_));
    }

private:
    Network() = default;
    const Value* weights() const { return static_cast<const Value*>(weights_.data()); }
    std::vector<int> largest_checks() const;
    void add_largest(std::vector<int>& on_squares, const Value* weights) const;
    std::vector<int> largest_of_pawn_pairs() const;
    bool accumulators_fit(std::size_t king_buckets) const;
    bool outputs_fit(std::size_t output_bucket) const;

    std::size_t hidden_size_ = 0;
    std::uint64_t hash_ = 0;
    std::uint32_t checksum_ = 0;
    std::int32_t qb_ = 1;
    std::int32_t scale_ = 1;
    bool knows_threats_ = false;
    bool knows_pawn_pairs_ = false;
    std::array<std::int32_t, output_bucket_count> output_biases_{};
    /// The rows of W, T and P, then b, then the rows of w by output bucket. In huge pages, because
    /// an evaluation reads rows from all over them.
    LargeMemory weights_;
};

}  // namespace engine::nnue
