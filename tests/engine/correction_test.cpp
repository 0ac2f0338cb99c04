#include "engine/search/correction.hpp"

#include <memory>
#include <string>

#include "tests/core/positions.hpp"

using namespace engine;

namespace {

/// White's queen alone on a board with two kings, on one of the squares from a2 to h8.
core::Position with_queen_on(int square) {
    std::string board;
    for (int rank = 7; rank >= 1; --rank) {
        const int file = square - 8 * rank;
        if (file < 0 || file > 7)
            board += "8/";
        else
            board += (file > 0 ? std::to_string(file) : "") + "Q"
                   + (file < 7 ? std::to_string(7 - file) : "") + "/";
    }
    return tests::position_of((board + "K6k b - - 0 1").c_str());
}

}  // namespace

TEST_CASE("a correction is learnt for a position and comes back there", "[correction]") {
    const auto corrections = std::make_unique<Corrections>();
    const auto position = with_queen_on(20);
    CHECK(corrections->of(position) == 0);
    for (int i = 0; i < 20; ++i)
        corrections->learn(position, 8, 100);
    CHECK(corrections->of(position) > 0);
    for (int i = 0; i < 60; ++i)
        corrections->learn(position, 8, -100);
    CHECK(corrections->of(position) < 0);
    corrections->clear();
    CHECK(corrections->of(position) == 0);
}

TEST_CASE("a correction depends on where the pieces stand, on all parts of the board",
          "[correction]") {
    for (int learnt = 8; learnt < core::Square::count; ++learnt) {
        const auto corrections = std::make_unique<Corrections>();
        for (int i = 0; i < 20; ++i)
            corrections->learn(with_queen_on(learnt), 8, 100);
        for (int asked = 8; asked < core::Square::count; ++asked) {
            CAPTURE(learnt, asked);
            if (asked != learnt)
                CHECK(corrections->of(with_queen_on(asked))
                      < corrections->of(with_queen_on(learnt)));
        }
    }
}
