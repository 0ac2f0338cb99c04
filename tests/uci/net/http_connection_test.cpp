#include "uci/net/http_connection.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <thread>

#include "uci/net/http_server.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// A WebSocket on which nothing is said.
class SilentHandler : public WebSocketHandler {
public:
    void on_open(std::shared_ptr<WebSocket> /*client*/) override {}
    void on_message(const std::string& /*message*/) override {}
    void on_close() override {}
};

/// Answers every request with an empty response, and accepts every WebSocket.
class EmptyHandler : public RequestHandler {
public:
    void handle(const HttpRequest& /*request*/, Respond respond) override { respond(empty()); }
    void upgrade(const HttpRequest& /*request*/, Decide decide) override {
        decide(std::make_shared<SilentHandler>());
    }

private:
    static HttpResponse empty() { return {boost::beast::http::status::ok, 11}; }
};

/// A server in a thread of its own.
class RunningServer {
public:
    explicit RunningServer(const HttpLimits& limits = {}) : server_{io_, handler_, limits} {
        REQUIRE_FALSE(server_.listen("127.0.0.1", 0));
        const auto place = server_.endpoints();
        port_ = static_cast<unsigned short>(std::stoi(place.substr(place.rfind(' ') + 1)));
        thread_ = std::thread{[this] { io_.run(); }};
    }
    ~RunningServer() {
        io_.stop();
        thread_.join();
    }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    RunningServer(RunningServer&&) = delete;
    RunningServer& operator=(RunningServer&&) = delete;

    tcp::endpoint endpoint() const { return {asio::ip::address_v4::loopback(), port_}; }

private:
    asio::io_context io_;
    EmptyHandler handler_;
    HttpServer server_;
    unsigned short port_ = 0;
    std::thread thread_;
};

}  // namespace

TEST_CASE("a refused request gets its response although more of it was sent", "[net]") {
    const auto [request, response] = GENERATE(table<std::string, std::string>({
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nx", "HTTP/1.1 413 "},
        {"nonsense\r\n\r\nx", "HTTP/1.1 400 "},
        {"GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x'), "HTTP/1.1 431 "},
        {"GET / HTTP/1.1\r\nConnection: close\r\n\r\nx", "HTTP/1.1 200 "},
    }));
    CAPTURE(response);
    const RunningServer server;
    asio::io_context io;
    tcp::socket client{io};
    client.connect(server.endpoint());
    asio::write(client, asio::buffer(request));
    // The server has answered before the rest arrives.
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    boost::system::error_code error;
    asio::write(client, asio::buffer(std::string(1'000'000, 'x')), error);
    CHECK_FALSE(error);
    std::string answer;
    asio::read(client, asio::dynamic_buffer(answer), error);
    CHECK(error == asio::error::eof);
    CHECK(answer.starts_with(response));
}

TEST_CASE("a connection to a client that sends without end is closed", "[net]") {
    const RunningServer server;
    asio::io_context io;
    tcp::socket client{io};
    client.connect(server.endpoint());
    asio::write(client, asio::buffer(std::string{"nonsense\r\n\r\n"}));
    const std::string chunk(100'000, 'x');
    boost::system::error_code error;
    for (int i = 0; i < 1'000 && !error; ++i)
        asio::write(client, asio::buffer(chunk), error);
    CHECK(error);
}

TEST_CASE("a WebSocket that says nothing makes room, although it answers pings", "[net]") {
    HttpLimits limits;
    limits.connections = 1;
    limits.websocket_idle_timeout = std::chrono::milliseconds{50};
    const RunningServer server{limits};
    asio::io_context io;
    const std::string handshake{
        "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"};
    // A masked pong and a masked text message, both empty.
    const std::string pong{"\x8a\x80\0\0\0\0", 6};
    const std::string message{"\x81\x80\0\0\0\0", 6};
    const auto [frame, is_replaced] =
        GENERATE_COPY(table<std::string, bool>({{pong, true}, {message, false}}));
    tcp::socket silent{io};
    silent.connect(server.endpoint());
    asio::write(silent, asio::buffer(handshake));
    std::string answer;
    asio::read_until(silent, asio::dynamic_buffer(answer), "\r\n\r\n");
    REQUIRE(answer.starts_with("HTTP/1.1 101 "));
    for (int i = 0; i < 30; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
        asio::write(silent, asio::buffer(frame));
    }
    tcp::socket next{io};
    next.connect(server.endpoint());
    boost::system::error_code error;
    asio::write(next, asio::buffer(std::string{"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"}),
                error);
    answer.clear();
    asio::read(next, asio::dynamic_buffer(answer), error);
    CHECK(answer.starts_with("HTTP/1.1 200 ") == is_replaced);
}
