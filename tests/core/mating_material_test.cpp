#include "core/mating_material.hpp"

#include "tests/core/positions.hpp"

using core::Color;

namespace {

struct Case {
    const char* fen;
    bool white;
    bool black;
};

}  // namespace

TEST_CASE("material decides who can still mate", "[mating_material]") {
    const auto position = GENERATE(
        // Bare kings, and one piece that mates or does not.
        Case{"4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false},
        Case{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", true, false},
        Case{"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", true, false},
        Case{"4k3/p7/8/8/8/8/8/4K3 w - - 0 1", false, true},
        Case{"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", false, false},
        Case{"4kb2/8/8/8/8/8/8/4K3 w - - 0 1", false, false},
        // Two own pieces.
        Case{"4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", true, false},
        Case{"4k3/8/8/8/8/8/8/2B1K1N1 w - - 0 1", true, false},
        Case{"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", true, false},
        Case{"4k3/8/8/8/8/8/3B4/4K1B1 w - - 0 1", false, false},
        // A lone knight needs an opposing piece that blocks the king and cannot take the knight.
        Case{"4k3/p7/8/8/8/8/8/4K1N1 w - - 0 1", true, true},
        Case{"4k2r/8/8/8/8/8/8/4K1N1 w - - 0 1", true, true},
        Case{"4kb2/8/8/8/8/8/8/4K1N1 w - - 0 1", true, true},
        Case{"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1", true, true},
        Case{"3qk3/8/8/8/8/8/8/4K1N1 w - - 0 1", false, true},
        // A bishop needs an opposing pawn, knight or bishop on the other colour.
        Case{"4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", true, true},
        Case{"4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1", true, true},
        Case{"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", true, true},
        Case{"2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", false, false},
        Case{"4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", false, true},
        Case{"3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", false, true});
    CAPTURE(position.fen);
    CHECK(core::has_mating_material(tests::position_of(position.fen), Color::white)
          == position.white);
    CHECK(core::has_mating_material(tests::position_of(position.fen), Color::black)
          == position.black);
}
