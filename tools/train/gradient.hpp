#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/train/record.hpp"

namespace train {

using engine::nnue::output_bucket_of;
inline constexpr int bucket_count = engine::nnue::output_bucket_count;

/// The network's parameters are one array of floats: 4 * 768 rows of N weights of pieces, 6 * 768
/// of threats, 1,488 of pawn pairs, a row of hidden biases, two rows of output weights for each
/// output bucket (side to move first), and the output biases.
inline constexpr int bias_row = feature_count;
inline constexpr int output_row = feature_count + 1;
inline constexpr int row_count = feature_count + 1 + 2 * bucket_count;

/// Positions to run through the network. With `gradient` the mean squared error's derivatives by
/// all parameters are written there; with `outputs`, what the network says of each position.
struct Batch {
    const Record* records = nullptr;
    const std::int64_t* numbers = nullptr;  ///< of the records that belong to the batch
    std::int64_t count = 0;
    const float* parameters = nullptr;
    float* gradient = nullptr;
    float* outputs = nullptr;
    float wdl = 0;    ///< the share of the game's result in the target; the rest is the score
    float scale = 1;  ///< the score at which a player expects 73 % of the points
};

/// The target of a position: the expected share of the points.
float target_of(const Record& record, const Batch& batch);

/// Runs batches through a network of some width, a multiple of 32, in several threads. The work
/// is cut into a number of shares whose results are added in order, so that they do not depend on
/// the number of threads.
class Gradient {
public:
    Gradient(int width, int threads, int shares);
    ~Gradient();
    Gradient(const Gradient&) = delete;
    Gradient& operator=(const Gradient&) = delete;

    /// The mean loss of a batch.
    double run(const Batch& batch);

    /// One share of the work.
    class Share {
    public:
        virtual ~Share() = default;
        virtual void run(const Batch& batch, std::int64_t first, std::int64_t last) = 0;
        virtual void add_row(int row, float* sum) const = 0;

        double loss = 0;
        std::array<float, bucket_count> output_biases{};  ///< their derivatives
    };

private:
    void add_shares(const Batch& batch);

    int width_;
    int threads_;
    std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace train
