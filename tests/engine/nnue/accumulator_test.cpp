#include "engine/evaluate/nnue/accumulator.hpp"

#include <string>
#include <vector>

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "engine/evaluate/nnue/views.hpp"

#include "tests/catch.hpp"
#include "tests/engine/nnue/random_network.hpp"

using namespace engine::nnue;
using core::Position;

namespace {

/// Walks through all lines and evaluates some of their positions, by lot and all leaves.
class Walk {
public:
    explicit Walk(const Network& network) : network_{network}, accumulators_{network, 16} {}

    void from(const Position& root, std::size_t depth) {
        positions_.assign(depth + 1, root);
        accumulators_.begin(positions_.front());
        go(0, depth);
    }
    std::size_t compared() const { return compared_; }

private:
    void go(std::size_t ply, std::size_t depth) {
        lot_ = lot_ * 6'364'136'223'846'793'005ULL + 1;
        if (ply == depth || lot_ >> 62 == 0)
            compare(ply);
        if (ply == depth)
            return;
        for (const auto move : core::legal_moves(positions_[ply])) {
            positions_[ply + 1] = positions_[ply].after(move);
            accumulators_.follow(ply + 1, move, positions_[ply + 1]);
            go(ply + 1, depth);
        }
        if (!positions_[ply].in_check()) {
            positions_[ply + 1] = positions_[ply].after_pass();
            accumulators_.follow(ply + 1, std::nullopt, positions_[ply + 1]);
            go(ply + 1, depth);
        }
    }

    void compare(std::size_t ply) {
        ++compared_;
        const auto kept = accumulators_.evaluate(ply);
        const auto fresh = evaluate(network_, positions_[ply]);
        if (kept != fresh) {
            INFO(core::fen(positions_[ply]));
            REQUIRE(kept == fresh);
        }
    }

    const Network& network_;
    Accumulators accumulators_;
    std::vector<Position> positions_;
    std::uint64_t lot_ = 1;
    std::size_t compared_ = 0;
};

}  // namespace

TEST_CASE("accumulators that are kept equal those computed anew", "[nnue]") {
    const auto* fen = GENERATE(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2", "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",
        "qbrnnkbr/pppppppp/8/8/8/8/PPPPPPPP/QBRNNKBR w HChc - 0 1");
    CAPTURE(fen);
    const auto network = Network::read(tests::RandomNetwork{32}.file());
    REQUIRE(network);
    const auto position = core::read_fen(fen);
    REQUIRE(position);
    Walk walk{**network};
    walk.from(*position, 3);
    CHECK(walk.compared() > 1'000);
}
