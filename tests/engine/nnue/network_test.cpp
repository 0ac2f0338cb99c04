#include "engine/evaluate/nnue/network.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/fen.hpp"

#include "engine/evaluate/nnue/simd.hpp"
#include "engine/evaluate/nnue/views.hpp"

#include "tests/catch.hpp"
#include "tests/engine/nnue/random_network.hpp"

using namespace engine::nnue;
using core::Color;
using core::Position;
using tests::RandomNetwork;

namespace {

/// The squares of a FEN's board as White or Black sees them, written anew: pairs of a piece's
/// letter, lower case for the opponent's, and the number of its square.
std::vector<std::pair<char, int>> seen(const std::string& fen, bool by_black) {
    std::vector<std::pair<char, int>> pieces;
    int rank = 7;
    int file = 0;
    for (const char letter : fen.substr(0, fen.find(' '))) {
        if (letter == '/') {
            --rank;
            file = 0;
        }
        else if (letter >= '1' && letter <= '8') {
            file += letter - '0';
        }
        else {
            const bool black = letter >= 'a';
            const char own = black == by_black ? static_cast<char>(letter & ~0x20)
                                               : static_cast<char>(letter | 0x20);
            pieces.emplace_back(own, (by_black ? 7 - rank : rank) * 8 + file++);
        }
    }
    for (const auto& [letter, square] : pieces) {
        if (letter == 'K' && square % 8 >= 4) {
            for (auto& piece : pieces)
                piece.second ^= 7;
            break;
        }
    }
    return pieces;
}

/// The formula of architecture.hpp in real numbers.
double score_in_reals(const RandomNetwork& network, const std::string& fen) {
    const bool black_moves = fen.substr(fen.find(' ')).starts_with(" b");
    double output = network.output_bias / (255.0 * network.qb);
    for (const bool other : {false, true}) {
        std::vector<double> hidden(network.biases.begin(), network.biases.end());
        for (const auto& [letter, square] : seen(fen, black_moves != other)) {
            const bool opponent = letter >= 'a';
            const auto type = std::string{"PNBRQK"}.find(static_cast<char>(letter & ~0x20));
            const std::size_t input =
                (opponent ? 384 : 0) + 64 * type + static_cast<std::size_t>(square);
            for (std::size_t i = 0; i < network.width; ++i)
                hidden[i] += network.weights[input * network.width + i];
        }
        for (std::size_t i = 0; i < network.width; ++i) {
            const double value = std::clamp(hidden[i] / 255, 0.0, 1.0);
            const double weight = network.outputs[(other ? network.width : 0) + i];
            output += value * value * weight / network.qb;
        }
    }
    return output * 400;
}

const char* const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "2k5/8/8/8/8/8/8/3K4 w - - 0 1",
};

std::string reason_for(const std::vector<std::byte>& bytes) {
    const auto network = Network::read(bytes);
    REQUIRE_FALSE(network);
    return network.reason();
}

}  // namespace

TEST_CASE("a network says what its formula says", "[nnue]") {
    const auto width = GENERATE(32U, 64U, 96U, 256U);
    CAPTURE(width);
    const RandomNetwork random{width};
    const auto network = Network::read(random.file());
    REQUIRE(network);
    CHECK((*network)->hash() == 0x0123456789ABCDEF);
    for (const char* fen : fens) {
        CAPTURE(fen);
        const auto position = core::read_fen(fen);
        REQUIRE(position);
        CHECK(evaluate(**network, *position) == Approx(score_in_reals(random, fen)).margin(2));
    }
}

TEST_CASE("all processors' loops give the same integers", "[nnue]") {
    const auto width = GENERATE(32U, 64U, 160U, 1'024U);
    CAPTURE(width);
    const auto network = Network::read(RandomNetwork{width, 7}.file());
    REQUIRE(network);
    const auto runnable = runnable_kernels();
    CHECK(runnable.kernels[runnable.count - 1] == &plain_kernels);
    for (const char* fen : fens) {
        const auto position = core::read_fen(fen);
        REQUIRE(position);
        const auto plain = evaluate(**network, *position, plain_kernels);
        for (std::size_t i = 0; i < runnable.count; ++i) {
            CAPTURE(fen, runnable.kernels[i]->name);
            CHECK(evaluate(**network, *position, *runnable.kernels[i]) == plain);
        }
    }
}

TEST_CASE("a file that is no network is refused with the reason", "[nnue]") {
    const auto good = RandomNetwork{32}.file();
    REQUIRE(Network::read(good));
    const auto changed = [&](std::size_t place, int value) {
        auto bytes = good;
        bytes[place] = static_cast<std::byte>(value);
        return reason_for(bytes);
    };
    CHECK(reason_for({}) == "it is no network of Parley's");
    CHECK(changed(0, 'X') == "it is no network of Parley's");
    CHECK(changed(4, 2) == "its format has version 2, not 1");
    CHECK(changed(8, 2) == "it is a network of another kind");
    CHECK(changed(12, 31) == "its measures are not those that this engine can use");
    CHECK(changed(12, 64) == "it is cut off, or something hangs on to it");
    CHECK(changed(28, 0) == "its measures are not those that this engine can use");
    CHECK(changed(1'000, 0x55) == "it is damaged: its checksum is wrong");
    auto bytes = good;
    bytes.pop_back();
    CHECK(reason_for(bytes) == "it is cut off, or something hangs on to it");
    bytes = good;
    bytes.push_back(std::byte{0});
    CHECK(reason_for(bytes) == "it is cut off, or something hangs on to it");
    for (const char* path : {"/no/such/file", "/", "/dev/stdin", "/dev/zero", ""}) {
        CAPTURE(path);
        CHECK(Network::load(path).reason() == "there is no such file");
    }
}
