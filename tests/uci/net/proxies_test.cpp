#include "uci/net/proxies.hpp"

#include "tests/catch.hpp"

using boost::asio::ip::make_address;
using uci::net::TrustedProxies;

namespace {

TrustedProxies trusting(const std::vector<std::string>& texts) {
    TrustedProxies proxies;
    for (const auto& text : texts)
        REQUIRE_FALSE(proxies.add(text));
    return proxies;
}

}  // namespace

TEST_CASE("addresses and networks of proxies are trusted", "[net]") {
    const auto proxies = trusting({"127.0.0.1", "10.0.0.0/8", "2001:db8::/33", "::1"});
    for (const char* address : {"127.0.0.1", "10.1.2.3", "::ffff:10.0.0.1", "2001:db8:1::", "::1"})
        CHECK(proxies.contains(make_address(address)));
    for (const char* address : {"127.0.0.2", "11.0.0.0", "2001:db8:8000::", "2001:db7::", "::2"})
        CHECK_FALSE(proxies.contains(make_address(address)));
    CHECK(trusting({"0.0.0.0/0"}).contains(make_address("192.0.2.1")));
    CHECK_FALSE(trusting({"0.0.0.0/0"}).contains(make_address("2001:db8::1")));
    CHECK_FALSE(TrustedProxies{}.contains(make_address("127.0.0.1")));
}

TEST_CASE("what is no address of a proxy is refused", "[net]") {
    const std::string text = GENERATE("", "nginx", "1.2.3", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/x",
                                      "::1/129", "1.2.3.4/-1", "1.2.3.4:80", "unix:");
    CAPTURE(text);
    CHECK(uci::net::check_proxy(text));
}

TEST_CASE("the client of a proxy is the last address that is no proxy", "[net]") {
    const auto proxies = trusting({"127.0.0.1", "10.0.0.0/8"});
    const auto [peer, forwarded, client] = GENERATE(table<std::string, std::string, std::string>({
        {"192.0.2.1", "203.0.113.9", "192.0.2.1"},  // no proxy of ours: anybody can write headers
        {"127.0.0.1", "", "127.0.0.1"},
        {"127.0.0.1", "203.0.113.9", "203.0.113.9"},
        {"::ffff:127.0.0.1", "203.0.113.9", "203.0.113.9"},
        {"127.0.0.1", "198.51.100.7, 203.0.113.9", "203.0.113.9"},
        {"127.0.0.1", "198.51.100.7,203.0.113.9 , 10.1.1.1", "203.0.113.9"},
        {"127.0.0.1", "10.2.2.2, 10.1.1.1", "10.2.2.2"},
        {"127.0.0.1", "203.0.113.9:5555", "203.0.113.9"},
        {"127.0.0.1", "[2001:db8::1]:5555", "2001:db8::1"},
        {"127.0.0.1", "2001:db8::1", "2001:db8::1"},
        {"127.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"},
        {"127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"},
        {"127.0.0.1", "203.0.113.9,", "127.0.0.1"},
        {"127.0.0.1", ",,,", "127.0.0.1"},
        {"127.0.0.1", "[", "127.0.0.1"},
    }));
    CAPTURE(peer, forwarded);
    CHECK(proxies.client_of(make_address(peer), forwarded) == make_address(client));
}
