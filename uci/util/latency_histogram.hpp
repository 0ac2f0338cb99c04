#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace uci::util {

/// How long something took, how often. Belongs to one thread.
class LatencyHistogram {
public:
    using Duration = std::chrono::steady_clock::duration;

    /// Upper bounds of the buckets, in seconds; behind them is one without a bound.
    static constexpr std::array bounds{0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03,
                                       0.1,    0.3,    1.0,   3.0,   10.0};

    void add(Duration took) {
        const auto seconds = std::chrono::duration<double>(took).count();
        std::size_t bucket = 0;
        while (bucket < bounds.size() && seconds > bounds[bucket])
            ++bucket;
        ++counts_[bucket];
        sum_ += seconds;
    }

    /// How many took at most bounds[bucket]; of the last bucket, how many there were.
    std::uint64_t count_up_to(std::size_t bucket) const {
        std::uint64_t count = 0;
        for (std::size_t i = 0; i <= bucket; ++i)
            count += counts_[i];
        return count;
    }
    std::uint64_t count() const { return count_up_to(bounds.size()); }
    double sum_in_seconds() const { return sum_; }

private:
    std::array<std::uint64_t, bounds.size() + 1> counts_{};
    double sum_ = 0;
};

}  // namespace uci::util
