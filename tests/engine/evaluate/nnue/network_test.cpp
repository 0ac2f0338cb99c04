#include "engine/evaluate/nnue/network.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/fen.hpp"

#include "engine/evaluate/nnue/forward.hpp"
#include "engine/evaluate/nnue/simd.hpp"

#include "tests/catch.hpp"
#include "tests/engine/evaluate/nnue/random_network.hpp"
#include "tests/engine/random_positions.hpp"

using namespace engine::nnue;
using core::Color;
using core::Position;
using tests::RandomNetwork;

namespace {

/// The active features of one perspective, computed independently from the FEN: the letter of each
/// piece, lower case for the opponent's, and the index of its square.
std::vector<std::pair<char, int>> active_features(const std::string& fen, bool by_black) {
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

/// The king bucket of a perspective: 0 on the first rank's outer squares (its king is on the files
/// a to d), 1 on the inner ones, 2 on the second rank, 3 beyond.
std::size_t king_bucket_among(const std::vector<std::pair<char, int>>& features) {
    for (const auto& [letter, square] : features) {
        if (letter == 'K')
            return square < 2 ? 0 : square < 8 ? 1 : square < 16 ? 2 : 3;
    }
    return 99;
}

using Pieces = std::vector<std::pair<char, int>>;

bool is_own(char letter) {
    return letter < 'a';
}

char upper_case(char letter) {
    return static_cast<char>(letter & ~0x20);
}

/// Whether a piece attacks a square, as upper_case pieces see it: theirs move up.
bool attacks(const Pieces& pieces, std::pair<char, int> piece, int target) {
    const auto [letter, square] = piece;
    const int files = target % 8 - square % 8;
    const int ranks = target / 8 - square / 8;
    const int near = std::min(std::abs(files), std::abs(ranks));
    const int far = std::max(std::abs(files), std::abs(ranks));
    const char type = upper_case(letter);
    if (type == 'P')
        return std::abs(files) == 1 && ranks == (is_own(letter) ? 1 : -1);
    if (type == 'N')
        return near == 1 && far == 2;
    if (type == 'K')
        return far == 1;
    const bool straight = near == 0 && far > 0;
    const bool diagonal = near == far && far > 0;
    if (!(straight && type != 'B') && !(diagonal && type != 'R'))
        return false;
    for (int i = 1; i < far; ++i) {
        const int between = square + i * (8 * ranks / far + files / far);
        if (std::any_of(pieces.begin(), pieces.end(),
                        [&](const auto& other) { return other.second == between; }))
            return false;
    }
    return true;
}

/// How many pieces of one side attack a square.
std::ptrdiff_t attackers(const Pieces& pieces, bool own, int target) {
    return std::count_if(pieces.begin(), pieces.end(), [&](const auto& piece) {
        return is_own(piece.first) == own && attacks(pieces, piece, target);
    });
}

int king_of(const Pieces& pieces, bool own) {
    return std::find_if(pieces.begin(), pieces.end(),
                        [&](const auto& piece) { return piece.first == (own ? 'K' : 'k'); })
        ->second;
}

bool has_lesser_attacker(const Pieces& pieces, std::pair<char, int> piece) {
    // A bishop is worth a knight.
    const auto value = [](char letter) {
        return std::string{"PNRQK"}.find(upper_case(letter) == 'B' ? 'N' : upper_case(letter));
    };
    return std::any_of(pieces.begin(), pieces.end(), [&](const auto& other) {
        return is_own(other.first) != is_own(piece.first) && value(other.first) < value(piece.first)
            && attacks(pieces, other, piece.second);
    });
}

bool is_pinned(const Pieces& pieces, std::pair<char, int> piece) {
    const bool own = is_own(piece.first);
    Pieces others = pieces;
    others.erase(std::find(others.begin(), others.end(), piece));
    const int king = king_of(pieces, own);
    return attackers(others, !own, king)
         > std::count_if(pieces.begin(), pieces.end(), [&](const auto& other) {
               return is_own(other.first) != own && attacks(pieces, other, king);
           });
}

/// Whether a side can check with a type of piece from a square.
bool can_check(const Pieces& pieces, bool own, char type, int square) {
    const char letter = own ? type : static_cast<char>(type | 0x20);
    const bool reached = std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
        return piece.first == letter && attacks(pieces, piece, square);
    });
    const bool blocked = std::any_of(pieces.begin(), pieces.end(), [&](const auto& piece) {
        return is_own(piece.first) == own && piece.second == square;
    });
    const int king = king_of(pieces, !own);
    if (!reached || blocked || !attacks(pieces, {letter, square}, king))
        return false;
    const auto defenders = attackers(pieces, !own, square);
    const bool by_king = attacks(pieces, {own ? 'k' : 'K', king}, square);
    return defenders == 0 || (defenders == 1 && by_king && attackers(pieces, own, square) > 1);
}

bool is_passed(const Pieces& pieces, std::pair<char, int> pawn) {
    const bool own = is_own(pawn.first);
    return std::none_of(pieces.begin(), pieces.end(), [&](const auto& other) {
        const int ahead = (other.second / 8 - pawn.second / 8) * (own ? 1 : -1);
        return other.first == (own ? 'p' : 'P') && ahead > 0
            && std::abs(other.second % 8 - pawn.second % 8) <= 1;
    });
}

/// What stands for the type of a passed pawn.
std::size_t state_in_front(const Pieces& pieces, std::pair<char, int> pawn) {
    const bool own = is_own(pawn.first);
    const int front = pawn.second + (own ? 8 : -8);
    if (std::any_of(pieces.begin(), pieces.end(),
                    [&](const auto& piece) { return piece.second == front; }))
        return 0;
    return 1U + (attackers(pieces, own, front) > 0 ? 1U : 0U)
         + (attackers(pieces, !own, front) > 0 ? 2U : 0U);
}

/// The inputs of the threats to a piece, or by a passed pawn: 768 times the kind, and its place.
std::vector<std::size_t> threats_to(const Pieces& pieces, std::pair<char, int> piece) {
    const bool own = is_own(piece.first);
    const char letter = upper_case(piece.first);
    const auto square = static_cast<std::size_t>(piece.second);
    const auto place = [&](std::size_t type) { return (own ? 0 : 384) + 64 * type + square; };
    const std::size_t here = place(std::string{"PNBRQK"}.find(letter));
    std::vector<std::size_t> inputs;
    if (letter == 'K')
        return inputs;
    const auto attacked = attackers(pieces, !own, piece.second);
    const auto defended = attackers(pieces, own, piece.second);
    if (attacked > 0 && defended == 0)
        inputs.push_back(here);
    if (has_lesser_attacker(pieces, piece))
        inputs.push_back(768 + here);
    else if (attacked > 1 && defended == 1)
        inputs.push_back(2 * 768 + here);
    if (is_pinned(pieces, piece))
        inputs.push_back(3 * 768 + here);
    if (letter == 'P' && is_passed(pieces, piece))
        inputs.push_back(5 * 768 + place(state_in_front(pieces, piece)));
    return inputs;
}

/// The inputs of all threats.
std::vector<std::size_t> active_threats(const Pieces& pieces) {
    std::vector<std::size_t> inputs;
    for (const auto& piece : pieces)
        for (const std::size_t input : threats_to(pieces, piece))
            inputs.push_back(input);
    for (const bool own : {true, false})
        for (std::size_t type = 1; type < 5; ++type)
            for (int square = 0; square < 64; ++square)
                if (can_check(pieces, own, std::string{"PNBRQK"}[type], square))
                    inputs.push_back(4 * 768 + (own ? 0 : 384) + 64 * type
                                     + static_cast<std::size_t>(square));
    return inputs;
}

/// The numbers of all pairs of pawns on the same file or on neighbouring ones.
std::vector<std::size_t> active_pawn_pairs(const Pieces& pieces) {
    std::set<std::pair<int, int>> pairs;
    const auto number = [](std::pair<char, int> pawn) {
        return (is_own(pawn.first) ? 0 : 48) + pawn.second - 8;
    };
    const auto are_near = [](int one, int other) {
        return one % 48 != other % 48 && std::abs(one % 8 - other % 8) <= 1;
    };
    for (const auto& one : pieces)
        for (const auto& other : pieces)
            if (upper_case(one.first) == 'P' && upper_case(other.first) == 'P'
                && number(one) > number(other) && are_near(number(one), number(other)))
                pairs.emplace(number(one), number(other));
    std::vector<std::size_t> active;
    std::size_t next = 0;
    for (int higher = 0; higher < 96; ++higher) {
        for (int lower = 0; lower < higher; ++lower) {
            if (!are_near(higher, lower))
                continue;
            if (pairs.contains({higher, lower}))
                active.push_back(next);
            ++next;
        }
    }
    return active;
}

/// The formula of architecture.hpp in floating point.
double score_in_floating_point(const RandomNetwork& network, const std::string& fen) {
    const bool black_moves = fen.substr(fen.find(' ')).starts_with(" b");
    const std::size_t bucket =
        network.version == 1 ? 0 : (active_features(fen, false).size() - 2) / 4;
    double output = network.output_biases[bucket] / (255.0 * network.qb);
    for (const bool other : {false, true}) {
        std::vector<double> hidden(network.biases.begin(), network.biases.end());
        const auto features = active_features(fen, black_moves != other);
        const std::size_t king_bucket = network.version < 3 ? 0 : king_bucket_among(features);
        const auto add = [&](const std::vector<std::int16_t>& weights, std::size_t input) {
            for (std::size_t i = 0; i < network.hidden_size; ++i)
                hidden[i] += weights[input * network.hidden_size + i];
        };
        for (const auto& piece : features) {
            const auto type = std::string{"PNBRQK"}.find(upper_case(piece.first));
            add(network.weights, 768 * king_bucket + (is_own(piece.first) ? 0 : 384) + 64 * type
                                     + static_cast<std::size_t>(piece.second));
        }
        for (const std::size_t input : active_threats(features))
            if (input < network.threat_kinds() * 768)
                add(network.threats, input);
        if (network.version >= 6)
            for (const std::size_t pair : active_pawn_pairs(features))
                add(network.pawn_pairs, pair);
        for (std::size_t i = 0; i < network.hidden_size; ++i) {
            const double value = std::clamp(hidden[i] / 255, 0.0, 1.0);
            const double weight =
                network.outputs[(2 * bucket + (other ? 1 : 0)) * network.hidden_size + i];
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
    "r1bq1rk1/ppp2ppp/2n2n2/3pp3/3PP3/2N2N2/PPPK1PPP/R1BQ1B1R b - - 0 1",
    "8/5pk1/6p1/8/4K3/1P6/8/8 w - - 0 1",
    // Pins, a passed pawn on the seventh rank, checks next to the king.
    "4r1k1/1P3ppp/5n2/b3R3/8/2N2Q2/3B1PPP/4K2R w K - 0 1",
    "3r2k1/p4ppp/1p2Q3/7b/1q6/2P5/PB3P1P/2K3RR b - - 0 1",
};

std::string reason_for(const std::vector<std::byte>& bytes) {
    const auto network = Network::read(bytes);
    REQUIRE_FALSE(network);
    return network.reason();
}

}  // namespace

TEST_CASE("the score is that of the formula in architecture.hpp", "[nnue]") {
    const auto hidden_size = GENERATE(32U, 64U, 96U, 256U);
    CAPTURE(hidden_size);
    const auto version = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    const RandomNetwork random{hidden_size, 1, version};
    const auto network = Network::read(random.file());
    REQUIRE(network);
    CHECK((*network)->hash() == 0x0123456789ABCDEF);
    for (const char* fen : fens) {
        CAPTURE(fen);
        const auto position = core::read_fen(fen);
        REQUIRE(position);
        CHECK(evaluate(**network, *position)
              == Approx(score_in_floating_point(random, fen)).margin(2));
    }
}

TEST_CASE("so are the scores of random positions", "[nnue]") {
    const RandomNetwork random{32, 3, 6};
    const auto network = Network::read(random.file());
    REQUIRE(network);
    for (const auto& position : tests::random_positions(200, 29)) {
        const std::string fen = core::fen(position);
        CAPTURE(fen);
        REQUIRE(evaluate(**network, position)
                == Approx(score_in_floating_point(random, fen)).margin(2));
    }
}

TEST_CASE("all kernels give the same integers", "[nnue]") {
    const auto hidden_size = GENERATE(32U, 64U, 160U, 1'024U);
    CAPTURE(hidden_size);
    const auto network = Network::read(RandomNetwork{hidden_size, 7, 6}.file());
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

TEST_CASE("a file that is not a usable network is refused with the reason", "[nnue]") {
    const auto good = RandomNetwork{32}.file();
    REQUIRE(Network::read(good));
    const auto changed = [&](std::size_t place, int value) {
        auto bytes = good;
        bytes[place] = static_cast<std::byte>(value);
        return reason_for(bytes);
    };
    CHECK(reason_for({}) == "not a Parley network file");
    CHECK(changed(0, 'X') == "not a Parley network file");
    CHECK(changed(4, 7) == "unsupported file format version 7 (expected 1 to 6)");
    CHECK(changed(4, 0) == "unsupported file format version 0 (expected 1 to 6)");
    CHECK(changed(8, 2) == "unsupported network architecture");
    CHECK(changed(12, 31) == "unsupported network dimensions or quantisation");
    CHECK(changed(12, 64) == "file is truncated or has trailing data");
    CHECK(changed(28, 0) == "unsupported network dimensions or quantisation");
    CHECK(changed(1'000, 0x55) == "checksum mismatch: the file is damaged");
    auto bytes = good;
    bytes.pop_back();
    CHECK(reason_for(bytes) == "file is truncated or has trailing data");
    bytes = good;
    bytes.push_back(std::byte{0});
    CHECK(reason_for(bytes) == "file is truncated or has trailing data");
}

TEST_CASE("only a regular file is loaded as a network", "[nnue]") {
    for (const char* path : {"/no/such/file", ""}) {
        CAPTURE(path);
        CHECK(Network::load(path).reason() == "no such file");
    }
    for (const char* path : {"/", "/dev/zero", "/dev/null"}) {
        CAPTURE(path);
        CHECK(Network::load(path).reason() == "not a regular file");
    }
}

TEST_CASE("a network whose evaluation could overflow is refused", "[nnue]") {
    const char* const too_large = "weights are too large: the evaluation could overflow";
    RandomNetwork random{32};
    SECTION("an output weight beyond 127") {
        random.outputs[40] = 127;
        CHECK(Network::read(random.file()));
        random.outputs[40] = static_cast<std::int16_t>(GENERATE(128, -128, 32'767, -32'768));
        CHECK(reason_for(random.file()) == too_large);
    }
    SECTION("an accumulator beyond 16 bits") {
        // At most 32 pieces, and 32 * 1020 + 127 is the largest value. 640: the opponent's queens.
        const auto weight = GENERATE(as<std::int16_t>{}, 1'020, -1'020);
        for (std::size_t square = 10; square < 42; ++square)
            random.weights[(640 + square) * 32 + 5] = weight;
        random.biases[5] = GENERATE(as<std::int16_t>{}, 127, -127);
        CHECK(Network::read(random.file()));
        random.biases[5] = static_cast<std::int16_t>(random.biases[5] < 0 ? -128 : 128);
        CHECK(reason_for(random.file()) == too_large);
    }
    SECTION("an accumulator beyond 16 bits in the last king bucket alone") {
        RandomNetwork with_buckets{32, 1, 3};
        with_buckets.biases[5] = 127;
        for (std::size_t square = 10; square < 42; ++square)
            with_buckets.weights[(3 * 768 + 640 + square) * 32 + 5] = 1'020;
        CHECK(Network::read(with_buckets.file()));
        with_buckets.biases[5] = 128;
        CHECK(reason_for(with_buckets.file()) == too_large);
    }
    SECTION("an accumulator beyond 16 bits by threats alone") {
        // 32 * (960 + 30 + 30) + 127 is the largest value.
        RandomNetwork with_threats{32, 1, 4};
        with_threats.biases[5] = 127;
        for (std::size_t square = 10; square < 42; ++square)
            with_threats.weights[(3 * 768 + 640 + square) * 32 + 5] = 960;
        for (std::size_t input = 0; input < std::size_t{2} * 768; ++input)
            with_threats.threats[input * 32 + 5] = input % 2 == 0 ? 30 : -30;
        CHECK(Network::read(with_threats.file()));
        with_threats.biases[5] = 128;
        CHECK(reason_for(with_threats.file()) == too_large);
    }
    SECTION("an accumulator beyond 16 bits by checks from all squares") {
        // 64 * (300 + 200) + 767 is the largest value: a queen's and a bishop's checks, of one
        // side.
        RandomNetwork with_checks{32, 1, 5};
        with_checks.biases[5] = 767;
        for (std::size_t row = 0; row < with_checks.weights.size() / 32; ++row)
            with_checks.weights[row * 32 + 5] = 0;
        for (std::size_t input = 0; input < std::size_t{6} * 768; ++input)
            with_checks.threats[input * 32 + 5] = 0;
        const auto set_checks = [&](std::size_t color, std::size_t type, std::int16_t weight) {
            for (std::size_t square = 0; square < 64; ++square)
                with_checks.threats[(4 * 768 + 384 * color + 64 * type + square) * 32 + 5] = weight;
        };
        set_checks(0, 4, 300);
        set_checks(0, 2, -200);
        set_checks(0, 3, 200);
        set_checks(0, 1, 500);
        set_checks(1, 4, 499);
        CHECK(Network::read(with_checks.file()));
        with_checks.biases[5] = 768;
        CHECK(reason_for(with_checks.file()) == too_large);
    }
    SECTION("an accumulator beyond 16 bits by pawn pairs") {
        // 32 * 500 + 120 * 127 + 1527 is the largest value.
        RandomNetwork with_pairs{32, 1, 6};
        for (std::size_t row = 0; row < with_pairs.weights.size() / 32; ++row)
            with_pairs.weights[row * 32 + 5] = 500;
        for (std::size_t row = 0; row < with_pairs.threats.size() / 32; ++row)
            with_pairs.threats[row * 32 + 5] = 0;
        with_pairs.pawn_pairs[std::size_t{1'000} * 32 + 5] = -127;
        with_pairs.biases[5] = 1'527;
        CHECK(Network::read(with_pairs.file()));
        with_pairs.biases[5] = 1'528;
        CHECK(reason_for(with_pairs.file()) == too_large);
    }
    SECTION("a sum beyond 32 bits") {
        RandomNetwork wide{160};
        const auto weight = GENERATE(as<std::int16_t>{}, 127, -127);
        // 260 * 127 is the largest multiple of 127 that, times 255 * 255, fits.
        for (std::size_t i = 0; i < wide.outputs.size(); ++i)
            wide.outputs[i] = i < 260 ? weight : std::int16_t{0};
        CHECK(Network::read(wide.file()));
        wide.outputs[260] = weight;
        CHECK(reason_for(wide.file()) == too_large);
    }
    SECTION("a score beyond 32 bits") {
        random.qb = 1;
        random.output_biases = {2'000'000'000};
        CHECK(reason_for(random.file()) == too_large);
    }
}
