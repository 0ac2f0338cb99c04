#include "engine/strength_level.hpp"

#include <cmath>
#include <map>

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"
#include "tests/engine/client.hpp"

using namespace engine;
using tests::Client;

namespace {

constexpr const char* middlegame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

void limit_strength(Client& client, int elo, int seed = 1) {
    client.engine().set_option("Level Seed", std::to_string(seed));
    client.engine().set_option("UCI_Elo", std::to_string(elo));
    client.engine().set_option("UCI_LimitStrength", "true");
}

/// What a search has found, with everything that noise would change.
std::tuple<std::string, Score, std::uint64_t> found(Client& client, const Limits& limits) {
    const auto answer = client.search(middlegame, limits);
    return {answer.move(), answer.last().score, answer.last().nodes};
}

}  // namespace

TEST_CASE("a higher level searches more and misjudges less", "[strength_level]") {
    for (int elo = min_elo; elo < max_elo; ++elo) {
        CAPTURE(elo);
        const auto level = strength_level(elo);
        const auto next = strength_level(elo + 1);
        CHECK(level.elo == elo);
        CHECK(level.nodes > 0);
        CHECK(level.depth >= 1);
        CHECK(level.noise >= 0);
        CHECK(level.nodes <= next.nodes);
        CHECK(level.depth <= next.depth);
        CHECK(level.noise >= next.noise);
        if (elo + 200 <= max_elo) {
            const auto above = strength_level(elo + 200);
            CHECK((level.nodes < above.nodes || level.noise > above.noise));
        }
    }
}

TEST_CASE("a skill is a level, and a higher one is stronger", "[strength_level]") {
    CHECK(elo_of_skill(0) == min_elo);
    for (int skill = 0; skill + 1 < max_skill; ++skill)
        CHECK(elo_of_skill(skill) < elo_of_skill(skill + 1));
    CHECK(elo_of_skill(max_skill - 1) < max_elo);
}

TEST_CASE("a position is misjudged alike with the same seed only", "[strength_level]") {
    const auto position = tests::position_of(middlegame);
    const LeafNoise noise{100, 1};
    CHECK(noise.is_on());
    CHECK(noise.disturbed(30, position) == LeafNoise{100, 1}.disturbed(30, position));
    std::map<Score, int> scores;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        ++scores[LeafNoise{100, seed}.disturbed(30, position)];
    CHECK(scores.size() > 30);
    const auto after = position.after(*core::legal_moves(position).begin());
    CHECK(noise.disturbed(30, position) != noise.disturbed(30, after));
    CHECK_FALSE(LeafNoise{}.is_on());
    CHECK_FALSE(LeafNoise{0, 1}.is_on());
}

TEST_CASE("errors have the scale of the level, and shrink with men and won or lost scores",
          "[strength_level]") {
    // Expected: scale * pi / sqrt(3), times 600 / (600 + score), times (men + 8) / 40.
    const auto [fen, score, expected] = GENERATE(table<const char*, Score, double>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1, 181.4},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 600, 90.7},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -600, 90.7},
        {"4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", 1, 81.6},
    }));
    CAPTURE(fen, score);
    const auto position = tests::position_of(fen);
    constexpr int seeds = 20'000;
    double sum = 0;
    double squares = 0;
    for (int seed = 0; seed < seeds; ++seed) {
        const double error =
            LeafNoise{100, static_cast<std::uint64_t>(seed)}.disturbed(score, position) - score;
        sum += error;
        squares += error * error;
    }
    CHECK(std::abs(sum / seeds) < 0.03 * expected);
    CHECK(std::abs(std::sqrt(squares / seeds) / expected - 1) < 0.03);
}

TEST_CASE("a known result is not misjudged, and nothing is misjudged as one", "[strength_level]") {
    const auto position = tests::position_of(middlegame);
    for (const Score known : {draw, known_win, -known_win, known_win + 700})
        CHECK(LeafNoise{400, 7}.disturbed(known, position) == known);
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const auto score = LeafNoise{2000, seed}.disturbed(known_win - 1, position);
        CHECK(std::abs(score) < known_win);
    }
}

TEST_CASE("a limit of a search stays where it is stricter than the level", "[strength_level]") {
    const StrengthLevel level{1500, 1'000, 6, 20};
    Limits strict;
    strict.depth = 2;
    strict.nodes = 10;
    strict.soft_nodes = 5;
    strict.movetime = Milliseconds{7};
    const auto both = limited(strict, level);
    CHECK(*both.depth == 2);
    CHECK(*both.nodes == 10);
    CHECK(*both.soft_nodes == 5);
    CHECK(*both.movetime == Milliseconds{7});
    const auto one = limited({}, level);
    CHECK(*one.depth == 6);
    CHECK(*one.soft_nodes == 1'000);
    CHECK(*one.nodes > 1'000);
}

TEST_CASE("who plays against a lone king knows how to mate", "[strength_level]") {
    const auto level = strength_level(1200);
    const auto technique =
        with_technique(level, tests::position_of("8/8/8/4k3/8/8/8/R3K3 w Q - 0 1"));
    CHECK(technique.noise == 0);
    CHECK(technique.nodes > level.nodes);
    CHECK(technique.depth > level.depth);
    CHECK(with_technique(level, tests::position_of(middlegame)).noise == level.noise);
    CHECK(with_technique(strength_level(max_elo),
                         tests::position_of("8/8/8/4k3/8/8/8/R3K3 w Q - 0 1"))
              .nodes
          >= strength_level(max_elo).nodes);
}

TEST_CASE("a limited player finds the same with any number of threads", "[strength_level]") {
    Client client;
    limit_strength(client, 1800);
    const auto alone = found(client, {});
    client.engine().new_game();
    client.engine().set_option("Threads", "4");
    CHECK(found(client, {}) == alone);
}

TEST_CASE("another seed is another player, and a new game brings one", "[strength_level]") {
    Client client;
    std::map<Score, int> scores;
    for (int seed = 1; seed <= 8; ++seed) {
        limit_strength(client, 1000, seed);
        ++scores[std::get<1>(found(client, {}))];
    }
    CHECK(scores.size() >= 6);
    limit_strength(client, 1000, 3);
    client.engine().new_game();
    const auto before = found(client, {});
    client.engine().new_game();
    CHECK(found(client, {}) == before);
    client.engine().set_option("Level Seed", "0");
    scores.clear();
    for (int game = 0; game < 8; ++game) {
        client.engine().new_game();
        ++scores[std::get<1>(found(client, {}))];
    }
    CHECK(scores.size() >= 6);
}

TEST_CASE("what a limited player has found is nothing to full strength", "[strength_level]") {
    const auto full = [] {
        Client fresh;
        return found(fresh, tests::to_depth(8));
    }();
    Client client;
    client.engine().set_option("UCI_Elo", "600");  // without UCI_LimitStrength
    CHECK(found(client, tests::to_depth(8)) == full);
    client.engine().new_game();
    limit_strength(client, 1600);
    CHECK(found(client, tests::to_depth(8)) != full);
    client.engine().set_option("UCI_LimitStrength", "false");
    CHECK(found(client, tests::to_depth(8)) == full);
}

TEST_CASE("the limit is for games, not for analysis", "[strength_level]") {
    const auto full = [] {
        Client fresh;
        return found(fresh, tests::to_depth(7));
    }();
    Client client;
    limit_strength(client, 600);
    auto limits = tests::to_depth(7);
    limits.analysis = true;
    CHECK(found(client, limits) == full);
    client.engine().new_game();
    client.engine().set_option("UCI_AnalyseMode", "true");
    CHECK(found(client, tests::to_depth(7)) == full);
}

TEST_CASE("the level of a search counts more than the options", "[strength_level]") {
    Client client;
    limit_strength(client, 2600);
    Limits limits;
    limits.elo = 800;
    const auto weak = found(client, limits);
    client.engine().new_game();
    client.engine().set_option("UCI_LimitStrength", "false");
    CHECK(found(client, limits) == weak);
    client.engine().new_game();
    client.engine().set_option("Skill Level", "1");
    CHECK(found(client, limits) == weak);
    limits.elo = elo_of_skill(1);
    const auto skilled = found(client, limits);
    client.engine().new_game();
    CHECK(found(client, {}) == skilled);
    limit_strength(client, 800);
    CHECK(found(client, {}) == weak);
}

TEST_CASE("a mate in one is played from 1000 up", "[strength_level]") {
    const auto [fen, best] = GENERATE(table<const char*, const char*>({
        {"7R/2r2pk1/p5p1/1pp3P1/8/P6R/1PP5/2K5 w - - 0 1", "h3h7"},
        {"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "d1d8"},
        {"3k4/8/3K4/8/8/8/8/6Q1 w - - 0 1", "g1g8"},
        {"6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", "g5f7"},
        {"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4"},
    }));
    const auto elo = GENERATE(1000, 1300, 1900, 2500);
    CAPTURE(fen, elo);
    Client client;
    for (int seed = 1; seed <= 5; ++seed) {
        limit_strength(client, elo, seed);
        CHECK(client.search(fen, {}).move() == best);
    }
}
