#include "uci/net/http_connection.hpp"

#include <boost/asio/read.hpp>
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

/// Answers every request with an empty response.
class EmptyHandler : public RequestHandler {
public:
    void handle(const HttpRequest& /*request*/, Respond respond) override { respond(empty()); }
    void upgrade(const HttpRequest& /*request*/, Decide decide) override { decide(empty()); }

private:
    static HttpResponse empty() { return {boost::beast::http::status::ok, 11}; }
};

/// A server in a thread of its own.
class RunningServer {
public:
    RunningServer() {
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
    HttpServer server_{io_, handler_, {}};
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
