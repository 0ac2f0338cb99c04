#include "uci/chezz/http/client.hpp"

#include <boost/asio/io_context.hpp>

#include "uci/chezz/limits.hpp"

#include "tests/uci/chezz/fake_services.hpp"

using namespace uci::chezz;
using uci::chezz::http::ClientIdentity;
using uci::chezz::http::WebSocketClient;
using Messages = std::vector<std::string>;

namespace {

/// A WebSocket that records what is sent, and when.
class FakeSocket : public uci::net::WebSocket {
public:
    using Clock = std::chrono::steady_clock;

    void send(std::string text) override {
        sent.push_back(std::move(text));
        times.push_back(Clock::now());
    }
    void set_evictable(bool /*evictable*/) override {}
    void close() override { closed = true; }

    Messages sent;
    std::vector<Clock::time_point> times;
    bool closed = false;
};

/// A client whose room never answers.
struct Fixture {
    Fixture() { client->on_open(socket); }
    // The room and its client hold each other until the room has handled that it left.
    ~Fixture() {
        client->on_close();
        services.answer_all();
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;
    Fixture(Fixture&&) = delete;
    Fixture& operator=(Fixture&&) = delete;

    boost::asio::io_context io;
    tests::FakeServices services;
    std::shared_ptr<FakeSocket> socket = std::make_shared<FakeSocket>();
    std::shared_ptr<WebSocketClient> client =
        std::make_shared<WebSocketClient>(io.get_executor(),
                                          std::make_shared<GameRoom>(services, GameId{1}),
                                          ClientIdentity{UserId{2}, {}},
                                          "");
};

}  // namespace

TEST_CASE("two messages to a client are never sent without a pause between them", "[chezz]") {
    Fixture fixture;
    fixture.client->send({"a"});
    fixture.client->send({"b", "c"});
    CHECK(fixture.socket->sent == Messages{"a"});
    fixture.io.run_one();
    CHECK(fixture.socket->sent == Messages{"a", "b"});
    fixture.io.run();
    REQUIRE(fixture.socket->sent == Messages{"a", "b", "c"});
    const auto& times = fixture.socket->times;
    CHECK(times[1] - times[0] >= Limits::min_message_interval);
    CHECK(times[2] - times[1] >= Limits::message_interval);
}

TEST_CASE("a message after the pause is sent at once", "[chezz]") {
    Fixture fixture;
    fixture.client->send({"a"});
    fixture.io.run();
    fixture.client->send({"b"});
    CHECK(fixture.socket->sent == Messages{"a", "b"});
}

TEST_CASE("a client that is disconnected still gets what waits", "[chezz]") {
    Fixture fixture;
    fixture.client->send({"a", "b"});
    fixture.client->disconnect();
    CHECK(fixture.socket->sent == Messages{"a", "b"});
    CHECK(fixture.socket->closed);
}
