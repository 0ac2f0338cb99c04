#if defined(PARLEY_REDIS_TLS)

#include "uci/store/redis_tls.hpp"

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "uci/store/redis_connection.hpp"

#include "tests/catch.hpp"

using boost::asio::ip::tcp;
using std::chrono::milliseconds;
using uci::store::RedisAddress;
using uci::store::RedisConnection;
using uci::store::RedisTimeouts;
using uci::store::TlsSettings;
using Clock = std::chrono::steady_clock;

namespace {

constexpr RedisTimeouts timeouts{.lookup = milliseconds{400},
                                 .connect = milliseconds{400},
                                 .reply = milliseconds{400},
                                 .pause = milliseconds{0}};

/// Listens on a free port; accepts nothing by itself, but the system does.
class Listener {
public:
    RedisAddress address() {
        return {
            .host = "127.0.0.1", .port = acceptor_.local_endpoint().port(), .tls = TlsSettings{}};
    }
    tcp::socket accept() { return acceptor_.accept(); }

private:
    boost::asio::io_context io_;
    tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
};

/// How many descriptors this process has open, where the system tells it.
std::size_t open_descriptors() {
    std::error_code unknown;
    const std::filesystem::directory_iterator found{"/proc/self/fd", unknown};
    return unknown ? 0 : static_cast<std::size_t>(std::distance(begin(found), end(found)));
}

}  // namespace

TEST_CASE(
    "a server that is silent, or speaks a byte now and then, delays a TLS handshake in limits",
    "[store]") {
    const bool speaks = GENERATE(false, true);
    CAPTURE(speaks);
    Listener listener;
    std::atomic<bool> is_over{false};
    std::thread server{[&] {
        auto socket = listener.accept();
        // The head of a long TLS record, and then what is in it.
        std::string bytes{"\x16\x03\x03\x40\x00", 5};
        boost::system::error_code failed;
        while (!is_over && !failed) {
            if (speaks)
                boost::asio::write(socket, boost::asio::buffer(bytes), failed);
            bytes = "\x02";
            std::this_thread::sleep_for(milliseconds{20});
        }
    }};
    RedisConnection connection{listener.address(), timeouts};
    const auto began = Clock::now();
    const auto error = connection.ensure_open();
    const auto time = Clock::now() - began;
    is_over = true;
    server.join();
    REQUIRE(error);
    CHECK(error->reason
          == "Redis at 127.0.0.1: no answer to the TLS handshake; perhaps it does not speak TLS");
    CHECK(time >= milliseconds{300});
    CHECK(time < milliseconds{1'500});
}

TEST_CASE("a server that answers the TLS handshake in plain text is recognised", "[store]") {
    Listener listener;
    std::thread server{[&] {
        auto socket = listener.accept();
        std::array<char, 100> hello{};
        boost::system::error_code ignored;
        socket.read_some(boost::asio::buffer(hello), ignored);
        boost::asio::write(socket, boost::asio::buffer("-ERR unknown command\r\n", 22), ignored);
        while (!ignored)  // until the client goes
            socket.read_some(boost::asio::buffer(hello), ignored);
    }};
    RedisConnection connection{listener.address(), timeouts};
    const auto error = connection.ensure_open();
    server.join();
    REQUIRE(error);
    CHECK(error->reason == "Redis at 127.0.0.1: it does not speak TLS");
}

TEST_CASE("failed TLS handshakes leave no descriptor open", "[store]") {
    Listener listener;
    std::atomic<bool> is_over{false};
    std::thread server{[&] {
        while (!is_over)
            listener.accept().close();
    }};
    RedisConnection connection{listener.address(), timeouts};
    REQUIRE(connection.ensure_open());
    const auto before = open_descriptors();
    for (int i = 0; i < 1'000; ++i)
        REQUIRE(connection.ensure_open());
    const auto after = open_descriptors();
    is_over = true;
    static_cast<void>(connection.ensure_open());
    server.join();
    CHECK(after <= before + 1);  // the server's end of the last connection
}

TEST_CASE("files for TLS that cannot be used are named", "[store]") {
    const auto error = uci::store::check_tls({.ca_file = "/no/such"});
    REQUIRE(error);
    CHECK(error->reason
          == "the certificates of trusted authorities in the file '/no/such' cannot be used: "
             "No such file or directory");
    CHECK(uci::store::check_tls({.key_file = "/no/such"}));
    CHECK_FALSE(uci::store::check_tls({}));
}

#endif
