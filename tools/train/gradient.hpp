#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tools/train/record.hpp"

namespace train {

/// The network's parameters, as one array of numbers: 768 rows of N for the features, one of the
/// hidden biases, two of the output weights (the player to move first), and the output bias.
inline constexpr int bias_row = feature_count;
inline constexpr int output_row = feature_count + 1;
inline constexpr int row_count = feature_count + 3;

/// Positions to run through the network. With `gradient` the mean squared error's derivatives by
/// all parameters are written there; with `outputs`, what the network says of each position.
struct Batch {
    const Record* records = nullptr;
    const std::int64_t* numbers = nullptr;  ///< of the records that belong to the batch
    std::int64_t count = 0;
    const float* parameters = nullptr;
    float* gradient = nullptr;
    float* outputs = nullptr;
    float lambda = 0;  ///< the share of the game's result in what the network shall say
    float scale = 1;   ///< the score at which a player expects 73 % of the points
};

/// What the network shall say of a position, as a share of the points.
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
        float output_bias = 0;  ///< its derivative
    };

private:
    void add_shares(const Batch& batch);

    int width_;
    int threads_;
    std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace train
