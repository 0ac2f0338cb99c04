#include "engine/evaluate/nnue/threats.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/fen.hpp"

#include "tests/catch.hpp"

using namespace engine::nnue;

namespace {

/// The threats of one kind, sorted: FEN letters with squares; for passed pawns with the state of
/// the square in front.
std::vector<std::string> threats_of(const std::string& fen, ThreatKind kind) {
    const auto position = core::read_fen(fen);
    REQUIRE(position);
    std::vector<std::string> found;
    for (const Threat& threat : find_threats(*position)) {
        if (threat.kind != kind)
            continue;
        const bool is_pawn = kind == ThreatKind::passed_pawn;
        const auto type = is_pawn ? core::PieceType::pawn : core::PieceType{threat.type};
        found.push_back(core::Piece{threat.color, type}.letter() + threat.square.name()
                        + (is_pawn ? " " + std::to_string(threat.type) : ""));
    }
    std::sort(found.begin(), found.end());
    return found;
}

using Found = std::vector<std::string>;

}  // namespace

TEST_CASE("threats: an attacked piece without a defender", "[nnue]") {
    const auto kind = ThreatKind::undefended;
    // The bishop attacks both knights, but e7 is the king's; kings are not threatened.
    CHECK(threats_of("4k3/4n3/8/2B5/1n6/8/8/4K3 w - - 0 1", kind) == Found{"nb4"});
    // A pinned attacker counts.
    CHECK(threats_of("4k3/8/8/4p3/5N2/8/7b/4K1R1 w - - 0 1", kind) == Found{"Nf4", "Rg1"});
}

TEST_CASE("threats: an attacked piece whose attacker is worth less", "[nnue]") {
    const auto kind = ThreatKind::lesser_attacker;
    CHECK(threats_of("4k3/8/1b1n4/2P5/8/8/8/4K3 w - - 0 1", kind) == Found{"bb6", "nd6"});
    CHECK(threats_of("4k3/3r4/8/1N2q3/2B5/8/4R3/4K3 w - - 0 1", kind) == Found{"qe5"});
    // A knight does not threaten a bishop in this way.
    CHECK(threats_of("4k3/8/3b4/1N6/8/8/8/4K3 w - - 0 1", kind).empty());
}

TEST_CASE("threats: more than one attacker and one defender", "[nnue]") {
    const auto kind = ThreatKind::outnumbered;
    CHECK(threats_of("4k3/2p5/3n4/8/5B2/8/8/3RK3 w - - 0 1", kind) == Found{"nd6"});
    // Two defenders are enough, and a lesser attacker is another kind.
    CHECK(threats_of("4k3/2p1p3/3n4/8/5B2/8/8/3RK3 w - - 0 1", kind).empty());
    CHECK(threats_of("4k3/2p5/3n4/4P3/5B2/8/8/3RK3 w - - 0 1", kind).empty());
}

TEST_CASE("threats: a piece that is pinned to its king", "[nnue]") {
    const auto kind = ThreatKind::pinned;
    CHECK(threats_of("4k3/4n3/2p5/1B6/4R3/8/8/4K3 w - - 0 1", kind) == Found{"ne7", "pc6"});
    CHECK(threats_of("4k3/3n4/8/1B6/8/8/4q3/3RK3 w - - 0 1", kind) == Found{"nd7"});
    // The piece between them must be the king's and alone.
    CHECK(threats_of("4k3/4n3/4p3/8/4R3/8/8/4K3 w - - 0 1", kind).empty());
    CHECK(threats_of("4k3/4N3/8/8/4R3/8/8/4K3 w - - 0 1", kind).empty());
}

TEST_CASE("threats: a check from a square that is safe", "[nnue]") {
    const auto kind = ThreatKind::check;
    // The king attacks e7 and f8.
    CHECK(threats_of("4k3/8/8/8/8/8/8/R5K1 w - - 0 1", kind) == Found{"Ra8", "Re1"});
    // Next to the king only with support.
    CHECK(threats_of("6k1/7p/8/6N1/8/8/8/K6Q w - - 0 1", kind) == Found{"Qa8", "Qd5", "Qh7"});
    CHECK(threats_of("6k1/7p/8/8/8/8/8/K6Q w - - 0 1", kind) == Found{"Qa8", "Qd5", "Qg1", "Qg2"});
    CHECK(threats_of("6k1/8/8/3N4/8/8/5p2/K7 w - - 0 1", kind) == Found{"Ne7", "Nf6"});
    // By capture, but not where another piece defends.
    CHECK(threats_of("6k1/8/5r2/3N4/8/8/8/K7 w - - 0 1", kind)
          == Found{"Ne7", "Nf6", "ra6", "rf1"});
    CHECK(threats_of("6k1/6p1/5r2/3N4/8/8/8/K7 w - - 0 1", kind) == Found{"Ne7", "ra6", "rf1"});
}

TEST_CASE("threats: a passed pawn and the square in front of it", "[nnue]") {
    const auto kind = ThreatKind::passed_pawn;
    CHECK(threats_of("8/8/8/k7/P6p/8/7K/8 w - - 0 1", kind) == Found{"Pa4 0", "ph4 3"});
    CHECK(threats_of("8/3P4/8/8/8/2p5/8/K6k w - - 0 1", kind) == Found{"Pd7 1", "pc3 1"});
    CHECK(threats_of("8/8/2KP4/8/8/8/8/7k w - - 0 1", kind) == Found{"Pd6 2"});
    CHECK(threats_of("4k3/8/2KP4/8/8/8/8/8 w - - 0 1", kind) == Found{"Pd6 4"});
    // Pawns beside or behind do not stop it; one on a neighbouring file in front does.
    CHECK(threats_of("8/8/8/3Pp3/8/8/8/K6k w - - 0 1", kind) == Found{"Pd5 1", "pe5 1"});
    CHECK(threats_of("8/4p3/8/3P4/8/8/8/K6k w - - 0 1", kind).empty());
}
