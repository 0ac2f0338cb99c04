#pragma once

namespace engine {

/// A pair of values: one for the middlegame and one for the endgame, in centipawns.
struct Tapered {
    int middlegame = 0;
    int endgame = 0;

    constexpr Tapered& operator+=(Tapered other) {
        middlegame += other.middlegame;
        endgame += other.endgame;
        return *this;
    }
    constexpr Tapered& operator-=(Tapered other) { return *this += other * -1; }

    friend constexpr Tapered operator+(Tapered a, Tapered b) { return a += b; }
    friend constexpr Tapered operator-(Tapered a, Tapered b) { return a -= b; }
    friend constexpr Tapered operator*(Tapered value, int factor) {
        return {value.middlegame * factor, value.endgame * factor};
    }
};

}  // namespace engine
