#pragma once

#include <string>
#include <vector>

#include "core/position.hpp"

#include "engine/analysis/explain/claim.hpp"
#include "engine/analysis/explain/texts.hpp"

namespace engine::explain {

/// An explanation in words: one or two sentences, and the claim's principal variation, empty
/// without one.
struct Words {
    std::vector<std::string> sentences;
    std::string pv;  ///< "14...Rxe5 15.dxe5 Bxd2"
};

/// Says an explanation of a move in this position.
Words words_of(const Explanation& explanation, const core::Position& position, Language language);

/// The same as one text.
std::string joined(const Words& words);

/// The position in which the principal variation of a claim begins.
core::Position root_of(const Claim& claim, const core::Position& before, core::Move move);

/// The player's chance to win with this score, in percent.
int percent(Score score);

}  // namespace engine::explain
