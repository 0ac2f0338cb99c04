#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/notation.hpp"

#include "engine/evaluate/nnue/network.hpp"
#include "engine/search/transposition.hpp"

namespace engine {

/// What one search is about, the same for all its threads.
struct SearchRequest {
    const core::Game& game;
    std::vector<core::Move> root_moves;  ///< the legal moves to consider, at least one
    int multi_pv = 1;
    core::CastlingStyle castling{};
    bool show_chances = false;  ///< reports say how likely a win is
};

/// What all threads of a search share.
struct SharedSearch {
    SharedSearch(std::size_t megabytes, std::shared_ptr<const nnue::Network> network_used)
        : table{megabytes},
          network{std::move(network_used)} {}

    TranspositionTable table;
    std::shared_ptr<const nnue::Network> network;
    // Set by the first thread, read by the others at every node; nothing else depends on it.
    std::atomic<bool> stop{false};
    std::function<std::uint64_t()> nodes_of_all;
};

}  // namespace engine
