#pragma once

#include <cstdint>

namespace engine::tablebase {

/// What a position is worth for the side to move if its halfmove clock is 0. A cursed win is a win
/// that the fifty-move rule makes a draw, a blessed loss is the same for the loser.
enum class WdlScore : std::int8_t {
    loss = -2,
    blessed_loss = -1,
    draw = 0,
    cursed_win = 1,
    win = 2
};

constexpr int value_of(WdlScore score) {
    return static_cast<int>(score);
}
constexpr WdlScore operator-(WdlScore score) {
    return static_cast<WdlScore>(-value_of(score));
}

}  // namespace engine::tablebase
