#include "uci/net/listener.hpp"

#include <boost/asio/ip/v6_only.hpp>

#include "tests/catch.hpp"

using uci::net::Listener;
namespace ip = boost::asio::ip;

namespace {

bool has_ipv6() {
    boost::asio::io_context io;
    ip::tcp::acceptor acceptor{io};
    boost::system::error_code error;
    acceptor.open(ip::tcp::v6(), error);
    if (!error)
        acceptor.bind({ip::address_v6::loopback(), 0}, error);
    if (error)
        WARN("this machine has no IPv6");
    return !error;
}

/// Another program's socket on a port of [::1].
struct Occupied {
    Occupied() {
        acceptor.open(ip::tcp::v6());
        acceptor.set_option(ip::v6_only{true});
        acceptor.bind({ip::address_v6::loopback(), 0});
        acceptor.listen();
        port = acceptor.local_endpoint().port();
    }

    boost::asio::io_context io;
    ip::tcp::acceptor acceptor{io};
    unsigned short port = 0;
};

void ignore(ip::tcp::socket /*socket*/) {}

}  // namespace

TEST_CASE("a listener fails when another program has its port of one address", "[net]") {
    if (!has_ipv6())
        return;
    const auto* const addresses = GENERATE("", "127.0.0.1,::1");
    const Occupied occupied;
    boost::asio::io_context io;
    Listener listener{io, ignore};
    const auto error = listener.listen(addresses, occupied.port);
    REQUIRE(error);
    CHECK(error->reason.starts_with("cannot listen on ::1 port " + std::to_string(occupied.port)));
    CHECK(listener.endpoints().empty());
}

TEST_CASE("port 0 is the same free port of all addresses", "[net]") {
    if (!has_ipv6())
        return;
    boost::asio::io_context io;
    Listener listener{io, ignore};
    REQUIRE_FALSE(listener.listen("", 0));
    const auto text = listener.endpoints();
    const auto port = text.substr(text.rfind(' ') + 1);
    CHECK(text == "127.0.0.1 port " + port + " and ::1 port " + port);
    CHECK(listener.is_local_only());
}

TEST_CASE("an address that this machine does not have is refused when it was asked for", "[net]") {
    boost::asio::io_context io;
    Listener listener{io, ignore};
    const auto* const address = GENERATE("192.0.2.1", "2001:db8::1", "here", "127.0.0.1,");
    CHECK(listener.listen(address, 0));
}

TEST_CASE("a list of addresses is checked before anything listens", "[listener]") {
    for (const auto* const good : {"", "127.0.0.1", "::1", "0.0.0.0,::", "192.0.2.77"}) {
        CAPTURE(good);
        CHECK_FALSE(uci::net::check_addresses(good));
    }
    for (const auto* const bad : {",", "here", "127.0.0.1,", "1.2.3", "127.0.0.1 ::1", "::1,x"}) {
        CAPTURE(bad);
        CHECK(uci::net::check_addresses(bad));
    }
}
