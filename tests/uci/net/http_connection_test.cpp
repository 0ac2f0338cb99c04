#include "uci/net/http_connection.hpp"

#include <atomic>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/status.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

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

const std::string handshake{
    "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"};

using Handle = std::function<void(const HttpRequest&, const RequestHandler::Respond&)>;

/// Answers requests by a function of the test's.
class TestHandler : public EmptyHandler {
public:
    explicit TestHandler(Handle handle) : handle_{std::move(handle)} {}
    void handle(const HttpRequest& request, Respond respond) override { handle_(request, respond); }
    void upgrade(const HttpRequest& /*request*/, Decide /*decide*/) override {
        throw std::runtime_error{"a test"};
    }

private:
    Handle handle_;
};

HttpResponse response_of(std::string body) {
    HttpResponse response{boost::beast::http::status::ok, 11};
    response.body() = std::move(body);
    return response;
}

/// A server in a thread of its own. It is given the proxies that it trusts.
class RunningServer {
public:
    explicit RunningServer(
        const HttpLimits& limits = {},
        std::unique_ptr<RequestHandler> handler = std::make_unique<EmptyHandler>(),
        const std::vector<std::string>& proxies = {})
        : handler_{std::move(handler)},
          server_{io_, *handler_, limits, TrustedProxies{proxies}} {
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
    std::unique_ptr<RequestHandler> handler_;
    HttpServer server_;
    unsigned short port_ = 0;
    std::thread thread_;
};

/// A client that sends a text at once.
class Client {
public:
    Client(const RunningServer& server, const std::string& text) {
        socket_.open(tcp::v4());
        // Small, so that what is not read waits at the server.
        socket_.set_option(asio::socket_base::receive_buffer_size{4'096});
        socket_.connect(server.endpoint());
        send(text);
    }
    void send(const std::string& text) { asio::write(socket_, asio::buffer(text)); }
    /// What comes up to the end of the connection, or of the response's head.
    std::string read(bool to_the_end = true) {
        std::string answer;
        boost::system::error_code error;
        if (to_the_end)
            asio::read(socket_, asio::dynamic_buffer(answer), error);
        else
            asio::read_until(socket_, asio::dynamic_buffer(answer), "\r\n\r\n", error);
        return answer;
    }
    void close() { socket_.close(); }
    void end_input() { socket_.shutdown(tcp::socket::shutdown_send); }

private:
    asio::io_context io_;
    tcp::socket socket_{io_};
};

const std::string request_and_close{"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"};

bool becomes_true(const std::atomic<bool>& flag) {
    for (int i = 0; i < 500 && !flag; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    return flag;
}

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

TEST_CASE("clients that ask and do not read cannot keep more than the limit in memory", "[net]") {
    constexpr std::size_t size = 4'000'000;  // more than the system's buffers take
    HttpLimits limits;
    limits.unsent_total = 2 * size;
    limits.send_patience = std::chrono::milliseconds{GENERATE(50, 60'000)};
    const bool are_slow = limits.send_patience < std::chrono::seconds{1};
    const auto handle = [](const HttpRequest& /*request*/, const RequestHandler::Respond& respond) {
        respond(response_of(std::string(size, 'x')));
    };
    const RunningServer server{limits, std::make_unique<TestHandler>(handle)};
    Client first{server, request_and_close};
    CHECK(first.read(false).starts_with("HTTP/1.1 200 "));
    Client second{server, request_and_close};
    CHECK(second.read(false).starts_with("HTTP/1.1 200 "));
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    Client third{server, request_and_close};
    const auto answer = third.read();
    CHECK(answer.starts_with(are_slow ? "HTTP/1.1 200 " : "HTTP/1.1 503 "));
    CHECK((answer.size() > size) == are_slow);
    CHECK((first.read().size() > size / 2) != are_slow);
    CHECK(second.read().size() > size / 2);
}

TEST_CASE("a handler hears that a client has left before it has its response", "[net]") {
    std::atomic<bool> is_handled{false};
    std::atomic<bool> has_gone{false};
    const auto handle = [&, waiting = RequestHandler::Respond{}](
                            const HttpRequest& request,
                            const RequestHandler::Respond& respond) mutable {
        waiting = respond;
        request.when_gone([&has_gone] { has_gone = true; });
        is_handled = true;
    };
    const RunningServer server{{}, std::make_unique<TestHandler>(handle)};
    const auto [sent_ahead, half] = GENERATE(
        table<std::string, bool>({{"", false}, {"", true}, {"GET /next HTTP/1.1\r\n\r\n", false}}));
    Client client{server, "GET / HTTP/1.1\r\n\r\n"};
    CHECK(becomes_true(is_handled));
    client.send(sent_ahead);
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    CHECK_FALSE(has_gone);
    if (half)
        client.end_input();
    else
        client.close();
    CHECK(becomes_true(has_gone));
}

TEST_CASE("what a client sends while its request is handled is its next request", "[net]") {
    std::atomic<bool> is_handled{false};
    const auto handle = [&, first = RequestHandler::Respond{}](
                            const HttpRequest& request,
                            const RequestHandler::Respond& respond) mutable {
        if (request.target() == "/1") {
            request.when_gone([] {});
            first = respond;
            is_handled = true;
            return;
        }
        if (request.target() == "/other")
            std::exchange(first, nullptr)(response_of("first"));
        respond(response_of("second"));
    };
    const RunningServer server{{}, std::make_unique<TestHandler>(handle)};
    Client client{server, "GET /1 HTTP/1.1\r\n\r\n"};
    CHECK(becomes_true(is_handled));
    client.send("GET /2 HTTP/1.1\r\nConnection: close\r\n\r\n");
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    // Has the first one answered.
    Client other{server, "GET /other HTTP/1.1\r\nConnection: close\r\n\r\n"};
    CHECK(other.read().ends_with("second"));
    const auto answers = client.read();
    CHECK(answers.starts_with("HTTP/1.1 200 "));
    CHECK(answers.find("first") < answers.find("HTTP/1.1 200 ", 1));
    CHECK(answers.ends_with("second"));
}

TEST_CASE("an exception of a handler is answered with 500, and the server lives", "[net]") {
    const bool is_answered = GENERATE(false, true);
    const auto handle = [&](const HttpRequest& request, const RequestHandler::Respond& respond) {
        if (request.target() == "/good")
            return respond(response_of("good"));
        if (is_answered)
            respond(response_of("early"));
        throw std::runtime_error{"a test"};
    };
    const RunningServer server{{}, std::make_unique<TestHandler>(handle)};
    for (const auto& request : {request_and_close, handshake}) {
        Client client{server, request};
        const bool is_early = is_answered && request != handshake;
        CHECK(client.read().starts_with(is_early ? "HTTP/1.1 200 " : "HTTP/1.1 500 "));
    }
    Client next{server, "GET /good HTTP/1.1\r\nConnection: close\r\n\r\n"};
    CHECK(next.read().ends_with("good"));
}

TEST_CASE("the response that opens a WebSocket does not name the server's library", "[net]") {
    const RunningServer server;
    Client client{server, handshake};
    const auto answer = client.read(false);
    CHECK(answer.starts_with("HTTP/1.1 101 "));
    CHECK(answer.find("Sec-WebSocket-Accept: ") != std::string::npos);
    CHECK(answer.find("Server:") == std::string::npos);
    CHECK(answer.find("Beast") == std::string::npos);
}

TEST_CASE("a WebSocket that is one too many is closed without having been open", "[net]") {
    struct CountingHandler : EmptyHandler, WebSocketHandler {
        explicit CountingHandler(std::atomic<int>& closed) : closed_{closed} {}
        void upgrade(const HttpRequest& /*request*/, Decide decide) override {
            decide(std::shared_ptr<WebSocketHandler>{this, [](WebSocketHandler*) {}});
        }
        void on_open(std::shared_ptr<WebSocket> /*client*/) override {}
        void on_message(const std::string& /*message*/) override {}
        void on_close() override { ++closed_; }

    private:
        std::atomic<int>& closed_;
    };
    HttpLimits limits;
    limits.connections_per_client = 1;
    std::atomic<int> closed{0};
    const RunningServer server{limits, std::make_unique<CountingHandler>(closed), {"127.0.0.1"}};
    const auto from_client =
        handshake.substr(0, handshake.size() - 2) + "X-Forwarded-For: 203.0.113.9\r\n\r\n";
    Client first{server, from_client};
    CHECK(first.read(false).starts_with("HTTP/1.1 101 "));
    Client second{server, from_client};
    CHECK(second.read(false).starts_with("HTTP/1.1 429 "));
    CHECK(closed == 1);
}

TEST_CASE("a client that waits for 100 Continue gets it before it sends the body", "[net]") {
    const std::string expectation = GENERATE("100-continue", "100-Continue");
    const RunningServer server;
    Client client{server, "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: "
                              + expectation + "\r\nContent-Length: 5\r\n\r\n"};
    CHECK(client.read(false) == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hello");
    CHECK(client.read().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("100 Continue is not sent where it helps nobody", "[net]") {
    const auto [request, response] = GENERATE(table<std::string, std::string>({
        {"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
         "HTTP/1.1 413 "},
        {"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n"
         "Transfer-Encoding: chunked\r\n\r\n",
         "HTTP/1.1 400 "},
        {"GET / HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "},
        {"POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
         "HTTP/1.0 200 "},
        {"POST / HTTP/1.1\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n"
         "\r\nhello",
         "HTTP/1.1 200 "},
    }));
    CAPTURE(request);
    const RunningServer server;
    Client client{server, request};
    CHECK(client.read().starts_with(response));
}
