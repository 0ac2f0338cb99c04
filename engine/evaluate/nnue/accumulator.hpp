#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/position.hpp"

#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/score.hpp"

namespace engine::nnue {

/// The accumulators of the positions on a line of play. A move costs next to nothing until a
/// position is evaluated; then what the moves since the last evaluated one have changed is made
/// up for. Belongs to one thread.
class Accumulators {
public:
    /// For lines of so many plies. The network must outlive this.
    Accumulators(const Network& network, std::size_t plies);

    /// A line begins. Positions given here and below must stay as they are while they are on it.
    void begin(const core::Position& root);
    /// The position at a ply came about by this move from the one before; without a move, the
    /// player has passed.
    void follow(std::size_t ply, std::optional<core::Move> move, const core::Position& position);
    /// What the network thinks of the position at a ply, for the player to move.
    Score evaluate(std::size_t ply);

private:
    struct Entry {
        const core::Position* position = nullptr;
        std::optional<core::Move> move;  ///< that led here
        std::array<bool, 2> is_current{};
    };

    Value* values(std::size_t ply, core::Color player) {
        return values_.get() + (2 * ply + core::index_of(player)) * network_->width();
    }
    View view(std::size_t ply, core::Color player) const;
    void bring_up_to_date(std::size_t ply, core::Color player);
    void refresh(std::size_t ply, core::Color player);
    void step(std::size_t ply, core::Color player);

    struct Free {
        void operator()(Value* values) const;
    };

    const Network* network_;
    const Kernels* kernels_;
    std::vector<Entry> entries_;
    std::unique_ptr<Value[], Free> values_;
};

}  // namespace engine::nnue
