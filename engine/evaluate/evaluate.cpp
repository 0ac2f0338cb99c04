#include "engine/evaluate/evaluate.hpp"

#include <cassert>

#include "engine/evaluate/nnue/embedded.hpp"

namespace engine::evaluate {

Evaluate::Evaluate() : Evaluate{nnue::embedded_network()} {}

Evaluate::Evaluate(std::shared_ptr<const nnue::Network> network) : network_{std::move(network)} {
    assert(network_);
}

Score Evaluate::operator()(const core::Position& position) const {
    if (position.has_insufficient_material())
        return draw;
    return clamp_eval(apply_endgame_rules(position, nnue::evaluate(*network_, position)));
}

}  // namespace engine::evaluate
