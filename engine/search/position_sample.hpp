#pragma once

#include <cstdint>
#include <optional>

#include "core/position.hpp"
#include "core/split_mix.hpp"

namespace engine::search {

/// Keeps one of the positions that it is offered, each with the same probability (reservoir
/// sampling, Vitter's algorithm R). The same seed and offers give the same choice.
class PositionSample {
public:
    explicit PositionSample(std::uint64_t seed) : seed_{seed} {}

    void offer(const core::Position& position) {
        ++offers_;
        if (core::split_mix(seed_ + offers_ * core::golden_gamma) % offers_ == 0)
            position_ = position;
    }
    /// Nothing when none was offered.
    const std::optional<core::Position>& position() const { return position_; }

private:
    std::uint64_t seed_;
    std::uint64_t offers_ = 0;
    std::optional<core::Position> position_;
};

}  // namespace engine::search
