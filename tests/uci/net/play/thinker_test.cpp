#include "uci/net/play/thinker.hpp"

#include <algorithm>

#include "core/fen.hpp"

#include "uci/net/play/limits.hpp"

#include "tests/uci/net/play/house.hpp"

using namespace tests;
using namespace uci::net::play;

namespace {

engine::Limits depth(int plies) {
    engine::Limits limits;
    limits.depth = plies;
    return limits;
}

core::Game game_after(const std::vector<std::string>& moves) {
    core::Game game;
    REQUIRE(game.play(moves));
    return game;
}

}  // namespace

TEST_CASE("tasks are done one after the other in their order", "[thinker]") {
    House house;
    std::vector<int> done;
    for (const int number : {1, 2, 3})
        house.thinker.think({game_after({"e4"}), depth(2), [&done, number](const auto& best) {
                                 REQUIRE(best.move);
                                 done.push_back(number);
                             }});
    house.wait_until([&] { return done.size() == 3; });
    CHECK(done == std::vector{1, 2, 3});
}

TEST_CASE("a task that a finished one brings goes to the end", "[thinker]") {
    House house;
    std::vector<int> done;
    const auto note = [&done](int number) {
        return [&done, number](const engine::BestMove&) { done.push_back(number); };
    };
    house.thinker.think({core::Game{}, depth(1), [&](const engine::BestMove&) {
                             done.push_back(1);
                             house.thinker.think({core::Game{}, depth(1), note(3)});
                         }});
    house.thinker.think({core::Game{}, depth(1), note(2)});
    house.wait_until([&] { return done.size() == 3; });
    CHECK(done == std::vector{1, 2, 3});
}

TEST_CASE("more tasks than may wait are not taken", "[thinker]") {
    House house;
    std::size_t done = 0;
    const auto ask = [&] {
        return house.thinker.think({core::Game{}, depth(1), [&](const auto&) { ++done; }});
    };
    for (std::size_t i = 0; i <= most_waiting_games; ++i)
        REQUIRE(ask());
    CHECK_FALSE(ask());
    house.wait_until([&] { return done == most_waiting_games + 1; });
    CHECK(ask());
}

TEST_CASE("an analysis goes ever deeper", "[thinker]") {
    House house;
    std::vector<int> depths;
    REQUIRE(house.thinker.analyse("a", core::Game{}, [&](const engine::Info& info) {
        depths.push_back(info.depth);
        CHECK_FALSE(info.line.empty());
    }));
    house.wait_until([&] { return depths.size() == 3; });
    CHECK(std::is_sorted(depths.begin(), depths.end()));
    house.thinker.forget("a");
}

TEST_CASE("a task is done in the middle of an analysis", "[thinker]") {
    House house;
    int told = 0;
    bool done = false;
    house.thinker.analyse("a", core::Game{}, [&](const engine::Info&) { ++told; });
    house.wait_until([&] { return told == 1; });
    const auto began = std::chrono::steady_clock::now();
    house.thinker.think({core::Game{}, depth(1), [&](const engine::BestMove&) { done = true; }});
    house.wait_until([&] { return done; });
    // Far less than the turn of an analysis; how busy the machine is nobody knows.
    CHECK(std::chrono::steady_clock::now() - began < longest_analysis / 4);
    const int before = told;
    house.wait_until([&] { return told > before; });
}

TEST_CASE("what is forgotten is told no more", "[thinker]") {
    House house;
    int told = 0;
    house.thinker.analyse("a", core::Game{}, [&](const engine::Info&) { ++told; });
    house.wait_until([&] { return told == 1; });
    house.thinker.forget("a");
    house.thinker.forget("nobody");
    bool done = false;
    house.thinker.think({core::Game{}, depth(4), [&](const engine::BestMove&) { done = true; }});
    house.wait_until([&] { return done; });
    CHECK(told == 1);
}

TEST_CASE("several analyses take turns", "[thinker]") {
    House house;
    int first = 0;
    int second = 0;
    house.thinker.analyse("a", core::Game{}, [&](const engine::Info&) { ++first; });
    house.thinker.analyse("b", game_after({"d4"}), [&](const engine::Info&) { ++second; });
    house.wait_until([&] { return first > 0 && second > 0; });
    const int before = first;
    house.wait_until([&] { return first > before; });
}

TEST_CASE("no more are analysed than there may be", "[thinker]") {
    House house;
    const auto silent = [](const engine::Info&) {};
    for (std::size_t i = 0; i < most_analyses; ++i)
        REQUIRE(house.thinker.analyse(std::to_string(i), core::Game{}, silent));
    CHECK_FALSE(house.thinker.analyse("one more", core::Game{}, silent));
    CHECK(house.thinker.analyse("7", game_after({"e4"}), silent));
    house.thinker.forget("8");
    CHECK(house.thinker.analyse("one more", core::Game{}, silent));
}

TEST_CASE("an analysis that has found out everything makes room for another", "[thinker]") {
    House house;
    const core::Game bare_kings{*core::read_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")};
    std::size_t latest = 0;
    for (std::size_t i = 0; i < most_analyses; ++i)
        REQUIRE(house.thinker.analyse(std::to_string(i), bare_kings,
                                      [&latest, i](const engine::Info&) { latest = i; }));
    house.wait_until([&] { return latest > 0; });
    CHECK(house.thinker.analyse("one more", core::Game{}, [](const engine::Info&) {}));
}
