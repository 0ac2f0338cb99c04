#include "uci/chezz/engine_queue.hpp"

#include "tests/catch.hpp"

using uci::chezz::EngineQueue;
using uci::chezz::Limits;
using namespace std::chrono_literals;

TEST_CASE("the more games wait for the engine the less time each is given", "[chezz]") {
    CHECK(EngineQueue::share(500ms, 1) == 500ms);
    CHECK(EngineQueue::share(500ms, 10) == 500ms);
    CHECK(EngineQueue::share(500ms, 100) == 50ms);
    CHECK(EngineQueue::share(20ms, 100) == 20ms);
    CHECK(EngineQueue::share(5s, Limits::waiting_for_engine) == 10ms);
}

TEST_CASE("games get the engine's moves in the order in which they came", "[chezz]") {
    engine::GeneralInterface engine;
    EngineQueue queue{engine};
    std::vector<int> order;
    for (int i = 0; i < 5; ++i)
        CHECK(queue.ask(core::Game{}, 5ms, [&order, i](const std::optional<core::Move>& move) {
            CHECK(move);
            order.push_back(i);
        }));
    while (order.size() < 5) {
        const auto response = engine.next_response();
        REQUIRE(response);
        queue.take(*response);
    }
    CHECK(order == std::vector{0, 1, 2, 3, 4});
}

TEST_CASE("a queue that is full takes no more", "[chezz]") {
    engine::GeneralInterface engine;
    EngineQueue queue{engine};
    for (std::size_t i = 0; i < Limits::waiting_for_engine; ++i)
        REQUIRE(queue.ask(core::Game{}, 5ms, [](const std::optional<core::Move>&) {}));
    CHECK(queue.is_full());
    CHECK_FALSE(queue.ask(core::Game{}, 5ms, [](const std::optional<core::Move>&) {}));
}
