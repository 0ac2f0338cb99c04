#include "uci/remote/server_finder.hpp"

#include "tests/catch.hpp"

using uci::remote::read_server_addresses;

TEST_CASE("servers are read with and without a port", "[remote]") {
    const auto servers = read_server_addresses("cellar,10.0.0.1:99,[::1]:7,[::1],fe80::1");
    REQUIRE(servers);
    std::string texts;
    for (const auto& server : *servers)
        texts += server.text() + " ";
    CHECK(texts == "cellar:3333 10.0.0.1:99 [::1]:7 [::1]:3333 [fe80::1]:3333 ");
}

TEST_CASE("what is no server is refused", "[remote]") {
    const auto text = GENERATE("", "a,", ",a", "a:0", "a:65536", "a:b", ":3333", "[::1", "[::1]7",
                               "http://a", "a b");
    CAPTURE(text);
    const auto servers = read_server_addresses(text);
    REQUIRE_FALSE(servers);
    CHECK(servers.reason().find("is not a server") != std::string::npos);
}
