#include "tools/train/gradient.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

namespace train {

namespace {

/// Positions that are run through the network together, so few that their values stay in the
/// caches.
constexpr int together = 64;

/// As many numbers as one vector instruction adds; with more, the compiler generates slow code.
#if defined(__AVX512F__)
constexpr int lanes = 16;
#elif defined(__AVX__)
constexpr int lanes = 8;
#else
constexpr int lanes = 4;
#endif
using Vector = float __attribute__((vector_size(lanes * sizeof(float))));

/// A part of a row of parameters. All rows of a block lie together, so that they and their
/// derivatives fit into a core's cache, and the sums below into its registers.
template <int vectors>
using Part = std::array<Vector, vectors>;

template <int vectors>
using Block = std::array<Part<vectors>, row_count>;

/// Runs the tasks 0 to count - 1 on several threads; each free thread takes the next one.
template <typename Task>
void in_parallel(int threads, int count, const Task& task) {
    std::atomic<int> next{0};
    const auto work = [&] {
        // Relaxed: it only hands out numbers, and joining a thread makes its results visible.
        for (int i = next.fetch_add(1, std::memory_order_relaxed); i < count;
             i = next.fetch_add(1, std::memory_order_relaxed))
            task(i);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < std::min(threads, count); ++i)
        others.emplace_back(work);
    work();
    for (auto& other : others)
        other.join();
}

float sigmoid(float x) {
    return 1 / (1 + std::exp(-x));
}

template <int vectors>
class ShareOf : public Gradient::Share {
public:
    explicit ShareOf(int width)
        : width_{width},
          blocks_(static_cast<std::size_t>(width / (vectors * lanes))),
          gradients_(blocks_.size()),
          hidden_(blocks_.size()) {}

    void run(const Batch& batch, std::int64_t first, std::int64_t last) override {
        load(batch);
        loss = 0;
        output_biases = {};
        for (auto at = first; at < last; at += together) {
            const auto count = static_cast<int>(std::min<std::int64_t>(together, last - at));
            prefetch(batch, at + count, std::min(at + count + together, last));
            look_up(batch, at, count);
            for (std::size_t i = 0; i < blocks_.size(); ++i)
                forward(i, count);
            judge(batch, at, count);
            for (std::size_t i = 0; batch.gradient && i < blocks_.size(); ++i)
                backward(i, count);
        }
    }

    void add_row(int row, float* sum) const override {
        for (const auto& block : gradients_)
            for (const Vector& vector : block[static_cast<std::size_t>(row)])
                for (int i = 0; i < lanes; ++i)
                    *sum++ += vector[i];
    }

private:
    /// Copies the parameters into blocks and clears the derivatives.
    void load(const Batch& batch) {
        for (std::size_t i = 0; i < blocks_.size(); ++i)
            for (std::size_t row = 0; row < row_count; ++row)
                std::memcpy(
                    &blocks_[i][row],
                    batch.parameters + row * static_cast<std::size_t>(width_) + i * vectors * lanes,
                    sizeof(Part<vectors>));
        std::copy_n(batch.parameters + std::size_t{row_count} * static_cast<std::size_t>(width_),
                    bucket_count, biases_.begin());
        if (batch.gradient)
            std::fill(gradients_.begin(), gradients_.end(), Block<vectors>{});
    }

    static void prefetch(const Batch& batch, std::int64_t first, std::int64_t last) {
        for (auto i = first; i < last; ++i)
            __builtin_prefetch(&batch.records[batch.numbers[i]]);
    }

    void look_up(const Batch& batch, std::int64_t first, int count) {
        for (int i = 0; i < count; ++i) {
            const Record& record = batch.records[batch.numbers[first + i]];
            features_[i] = features_of(record);
            targets_[i] = target_of(record, batch);
            buckets_[i] = output_bucket_of(features_[i].pieces);
            outputs_[i] = biases_[buckets_[i]];
        }
    }

    /// Computes the neurons of a block and adds what they contribute to the outputs.
    void forward(std::size_t number, int count) {
        const auto& block = blocks_[number];
        for (int i = 0; i < count; ++i) {
            const Features& features = features_[i];
            const std::size_t weights = output_row + 2 * buckets_[i];
            Vector sum{};
            for (std::size_t perspective = 0; perspective < 2; ++perspective) {
                Part<vectors> neurons = block[bias_row];
                for (int f = 0; f < features.count; ++f)
                    for (int v = 0; v < vectors; ++v)
                        neurons[v] += block[features.of[perspective][f]][v];
                for (int v = 0; v < vectors; ++v) {
                    const Vector floor = neurons[v] > 0 ? neurons[v] : Vector{};
                    neurons[v] = floor < 1 ? floor : Vector{} + 1;
                    sum += neurons[v] * neurons[v] * block[weights + perspective][v];
                }
                hidden_[number][i][perspective] = neurons;
            }
            for (int lane = 0; lane < lanes; ++lane)
                outputs_[i] += sum[lane];
        }
    }

    /// The loss, and its derivatives by the outputs.
    void judge(const Batch& batch, std::int64_t first, int count) {
        for (int i = 0; i < count; ++i) {
            if (batch.outputs)
                batch.outputs[first + i] = outputs_[i];
            const float guess = sigmoid(outputs_[i]);
            const float error = guess - targets_[i];
            loss += static_cast<double>(error) * error;
            slopes_[i] = 2 * error * guess * (1 - guess) / static_cast<float>(batch.count);
            output_biases[buckets_[i]] += slopes_[i];
        }
    }

    void backward(std::size_t number, int count) {
        const auto& block = blocks_[number];
        auto& gradient = gradients_[number];
        for (int i = 0; i < count; ++i) {
            const Features& features = features_[i];
            const std::size_t weights = output_row + 2 * buckets_[i];
            for (std::size_t perspective = 0; perspective < 2; ++perspective) {
                const Part<vectors>& neurons = hidden_[number][i][perspective];
                Part<vectors> slope;
                for (int v = 0; v < vectors; ++v) {
                    const Vector to_square = slopes_[i] * neurons[v];
                    gradient[weights + perspective][v] += to_square * neurons[v];
                    // Above the clamp the derivative is 0; below it the neuron is, and so is the
                    // product.
                    slope[v] =
                        neurons[v] < 1 ? 2 * to_square * block[weights + perspective][v] : Vector{};
                    gradient[bias_row][v] += slope[v];
                }
                for (int f = 0; f < features.count; ++f)
                    for (int v = 0; v < vectors; ++v)
                        gradient[features.of[perspective][f]][v] += slope[v];
            }
        }
    }

    int width_;
    std::array<float, bucket_count> biases_{};
    std::vector<Block<vectors>> blocks_;
    std::vector<Block<vectors>> gradients_;
    std::vector<std::array<std::array<Part<vectors>, 2>, together>> hidden_;
    std::array<Features, together> features_{};
    std::array<std::size_t, together> buckets_{};
    std::array<float, together> targets_{};
    std::array<float, together> outputs_{};
    std::array<float, together> slopes_{};
};

}  // namespace

float target_of(const Record& record, const Batch& batch) {
    const float expected = sigmoid(static_cast<float>(record.score) / batch.scale);
    if (record.result == no_result)
        return expected;
    return batch.wdl * static_cast<float>(record.result) / 2 + (1 - batch.wdl) * expected;
}

Gradient::Gradient(int width, int threads, int shares) : width_{width}, threads_{threads} {
    for (int i = 0; i < shares; ++i) {
        if (width % 64 == 0)
            shares_.push_back(std::make_unique<ShareOf<64 / lanes>>(width));
        else
            shares_.push_back(std::make_unique<ShareOf<32 / lanes>>(width));
    }
}

Gradient::~Gradient() = default;

double Gradient::run(const Batch& batch) {
    const auto shares = static_cast<int>(shares_.size());
    in_parallel(threads_, shares, [&](int i) {
        shares_[static_cast<std::size_t>(i)]->run(batch, batch.count * i / shares,
                                                  batch.count * (i + 1) / shares);
    });
    if (batch.gradient)
        add_shares(batch);
    double loss = 0;
    for (const auto& share : shares_)
        loss += share->loss;
    return loss / static_cast<double>(batch.count);
}

void Gradient::add_shares(const Batch& batch) {
    const std::int64_t size = std::int64_t{row_count} * width_;
    std::fill(batch.gradient, batch.gradient + size + bucket_count, 0.0F);
    for (const auto& share : shares_)
        for (std::size_t bucket = 0; bucket < bucket_count; ++bucket)
            batch.gradient[static_cast<std::size_t>(size) + bucket] += share->output_biases[bucket];
    constexpr int rows_at_once = 128;
    in_parallel(threads_, (row_count + rows_at_once - 1) / rows_at_once, [&](int part) {
        const int end = std::min((part + 1) * rows_at_once, row_count);
        for (int row = part * rows_at_once; row < end; ++row)
            for (const auto& share : shares_)
                share->add_row(row, batch.gradient + std::int64_t{row} * width_);
    });
}

}  // namespace train
