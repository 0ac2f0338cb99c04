#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "uci/net/play/lobby.hpp"
#include "uci/net/play/thinker.hpp"

#include "tests/catch.hpp"

namespace tests {

/// A server without sockets: everything happens in the thread of the test.
struct House {
    engine::GeneralInterface engine;
    boost::asio::io_context io;
    uci::net::play::Thinker thinker{engine, io};
    uci::net::play::Lobby lobby{thinker};

    /// Hands on what the engine says until something has come about.
    void wait_until(const std::function<bool()>& holds) {
        while (!holds()) {
            const auto response = engine.next_response();
            REQUIRE(response);
            thinker.take(*response);
        }
    }
};

}  // namespace tests
