#include "uci/server/server_runtime.hpp"

#include <boost/asio/post.hpp>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "uci/util/log.hpp"

#include "tests/catch.hpp"

using uci::server::ServerRuntime;

TEST_CASE("a handler that throws is survived by the server", "[server_runtime]") {
    uci::util::set_log_level(uci::util::LogLevel::none);
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    bool handled = false;
    boost::asio::post(runtime.io(), [] { throw std::runtime_error{"on purpose"}; });
    boost::asio::post(runtime.io(), [] { throw 5; });
    boost::asio::post(runtime.io(), [&] {
        handled = true;
        runtime.request_stop();
    });
    runtime.run([](const engine::Response&) {}, [&] { runtime.io().stop(); });
    CHECK(handled);
    uci::util::set_log_level(uci::util::LogLevel::info);
}

TEST_CASE("the engine's responses arrive in the I/O thread", "[server_runtime]") {
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    const auto io_thread = std::this_thread::get_id();
    int best_moves = 0;
    boost::asio::post(runtime.io(), [&] {
        engine::Limits limits;
        limits.depth = 1;
        engine.go(limits);
    });
    runtime.run(
        [&](const engine::Response& response) {
            CHECK(std::this_thread::get_id() == io_thread);
            if (!std::holds_alternative<engine::BestMove>(response))
                return;
            ++best_moves;
            runtime.request_stop();
        },
        [&] { runtime.io().stop(); });
    CHECK(best_moves == 1);
}

TEST_CASE("a server stops gracefully, once, at a signal", "[server_runtime]") {
    const int signal = GENERATE(SIGINT, SIGTERM);
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    int stops = 0;
    boost::asio::post(runtime.io(), [&] { std::raise(signal); });
    runtime.run([](const engine::Response&) {},
                [&] {
                    ++stops;
                    runtime.request_stop();
                });
    CHECK(stops == 1);
}

TEST_CASE("a server drains before it stops", "[server_runtime]") {
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    bool has_clients = true;
    int stops = 0;
    uci::server::DrainPolicy policy;
    policy.time = std::chrono::seconds{60};
    policy.begin = [&] {
        CHECK(runtime.is_draining());
        CHECK(stops == 0);
        boost::asio::post(runtime.io(), [&] { has_clients = false; });
    };
    policy.is_done = [&] { return !has_clients; };
    boost::asio::post(runtime.io(), [&] { std::raise(SIGTERM); });
    runtime.run([](const engine::Response&) {}, [&] { ++stops; }, policy);
    CHECK(stops == 1);
    CHECK_FALSE(has_clients);
}

TEST_CASE("a second request changes nothing, a stop ends draining at once", "[server_runtime]") {
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    int stops = 0;
    const uci::server::DrainPolicy policy{std::chrono::seconds{60}, [] {}, [] { return false; }};
    boost::asio::post(runtime.io(), [&] {
        runtime.drain();
        runtime.drain();
        CHECK(stops == 0);
        runtime.request_stop();
    });
    runtime.run([](const engine::Response&) {}, [&] { ++stops; }, policy);
    CHECK(stops == 1);
}

TEST_CASE("a signal ends draining that no signal began", "[server_runtime]") {
    engine::GeneralInterface engine;
    ServerRuntime runtime{engine};
    int stops = 0;
    const uci::server::DrainPolicy policy{std::chrono::seconds{10}, [] {}, [] { return false; }};
    boost::asio::post(runtime.io(), [&] {
        runtime.drain();
        CHECK(stops == 0);
        std::raise(SIGTERM);
    });
    const auto began = std::chrono::steady_clock::now();
    runtime.run([](const engine::Response&) {}, [&] { ++stops; }, policy);
    CHECK(stops == 1);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
}
