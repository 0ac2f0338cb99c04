#include "engine/evaluate/nnue/accumulator.hpp"

#include <string>
#include <vector>

#include "core/fen.hpp"
#include "core/movegen.hpp"

#include "engine/evaluate/nnue/forward.hpp"

#include "tests/catch.hpp"
#include "tests/engine/evaluate/nnue/random_network.hpp"

using namespace engine::nnue;
using core::Position;

namespace {

/// Plays all lines from a position and evaluates their leaves and some of the positions between,
/// so that updates of one ply and of several plies are compared with a refresh.
class Walk {
public:
    Walk(const Network& network, const Kernels& kernels)
        : network_{network},
          kernels_{kernels},
          accumulators_{network, 16, kernels} {}

    void from(const Position& root, std::size_t depth) {
        positions_.assign(depth + 1, root);
        accumulators_.reset(positions_.front());
        walk(0, depth);
    }
    std::size_t compared() const { return compared_; }

private:
    void walk(std::size_t ply, std::size_t depth) {
        random_ = random_ * 6'364'136'223'846'793'005ULL + 1;
        if (ply == depth || random_ >> 62 == 0)
            compare(ply);
        if (ply == depth)
            return;
        for (const auto move : core::legal_moves(positions_[ply])) {
            positions_[ply + 1] = positions_[ply].after(move);
            accumulators_.push(ply + 1, move, positions_[ply + 1]);
            walk(ply + 1, depth);
        }
        if (!positions_[ply].in_check()) {
            positions_[ply + 1] = positions_[ply].after_null_move();
            accumulators_.push(ply + 1, std::nullopt, positions_[ply + 1]);
            walk(ply + 1, depth);
        }
    }

    void compare(std::size_t ply) {
        ++compared_;
        const auto updated = accumulators_.evaluate(ply);
        const auto refreshed = evaluate(network_, positions_[ply], kernels_);
        if (updated != refreshed) {
            INFO(core::fen(positions_[ply]));
            REQUIRE(updated == refreshed);
        }
    }

    const Network& network_;
    const Kernels& kernels_;
    AccumulatorStack accumulators_;
    std::vector<Position> positions_;
    std::uint64_t random_ = 1;
    std::size_t compared_ = 0;
};

/// Moves of every kind: castling, en passant, promotion, kings that go to other buckets and to the
/// other half and come back, Chess960.
const char* const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 2",
    "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",
    "4k3/pppppp2/8/8/8/8/2PPPPPP/3K4 w - - 0 1",
    "qbrnnkbr/pppppppp/8/8/8/8/PPPPPPPP/QBRNNKBR w HChc - 0 1",
};

}  // namespace

TEST_CASE("an incrementally updated accumulator equals a refreshed one, in every kernel",
          "[nnue]") {
    // 128 is the size of the network in the program; 32 and 160 fill vectors and blocks otherwise.
    const auto [hidden_size, depth] =
        GENERATE(table<std::uint32_t, std::size_t>({{32, 2}, {128, 3}, {160, 2}}));
    const auto version = GENERATE(3U, 6U);
    const auto network = Network::read(tests::RandomNetwork{hidden_size, 1, version}.file());
    REQUIRE(network);
    const auto runnable = runnable_kernels();
    for (std::size_t i = 0; i < runnable.count; ++i) {
        const Kernels& kernels = *runnable.kernels[i];
        Walk walk{**network, kernels};
        for (const char* fen : fens) {
            CAPTURE(hidden_size, version, kernels.name, fen);
            walk.from(*core::read_fen(fen), depth);
        }
        CHECK(walk.compared() > 2'000);
    }
}
