#pragma once

#include <cstdint>
#include <string_view>

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

/// The DTZ of a position with this score whose best move is a capture or a pawn move: 101 plies
/// stand for results that the fifty-move rule turns into draws.
constexpr int dtz_before_zeroing(WdlScore score) {
    switch (score) {
        case WdlScore::win: return 1;
        case WdlScore::cursed_win: return 101;
        case WdlScore::draw: return 0;
        case WdlScore::blessed_loss: return -101;
        default: return -1;
    }
}

/// The name of a score in texts and messages: "win", "cursed win" ...
constexpr std::string_view name(WdlScore score) {
    switch (score) {
        case WdlScore::win: return "win";
        case WdlScore::cursed_win: return "cursed win";
        case WdlScore::draw: return "draw";
        case WdlScore::blessed_loss: return "blessed loss";
        default: return "loss";
    }
}

}  // namespace engine::tablebase
