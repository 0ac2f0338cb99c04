#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "uci/json/web/game_registry.hpp"
#include "uci/json/web/game_reviews.hpp"
#include "uci/json/web/search_policy.hpp"
#include "uci/server/timed_alarms.hpp"
#include "uci/server/timed_search_queue.hpp"

#include "tests/catch.hpp"

namespace tests {

/// Games and the search queue without sockets: everything happens in the thread of the test.
struct WebFixture {
    engine::GeneralInterface engine;
    boost::asio::io_context io;
    uci::server::TimedSearchQueue queue{engine, io, uci::json::web::search_policy()};
    uci::json::web::GameReviews reviews{
        queue, [](const auto&, const auto& positions, const auto&, auto) {
            return uci::json::web::ReviewDocuments{"page", std::to_string(positions.size())};
        }};
    uci::server::TimedAlarms alarms{io};
    uci::json::web::GameRegistry games{{.queue = queue, .reviews = &reviews, .alarms = &alarms}};

    /// Passes the engine's responses on until the condition holds.
    void run_until(const std::function<bool()>& condition) {
        while (!condition()) {
            const auto response = engine.next_response();
            REQUIRE(response);
            queue.handle_response(*response);
        }
    }
};

}  // namespace tests
