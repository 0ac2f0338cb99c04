#include "uci/server/admin_server.hpp"

#include "tests/catch.hpp"

TEST_CASE("the admin listener takes only addresses of this machine", "[admin_server]") {
    const auto* const good = GENERATE("127.0.0.1:9090", "127.0.0.2:0", "[::1]:9090", "::1:9090");
    CAPTURE(good);
    CHECK_FALSE(uci::server::check_admin_address(good));
    const auto* const bad =
        GENERATE("0.0.0.0:9090", "[::]:9090", "192.0.2.1:9090", "127.0.0.1", "127.0.0.1:65536",
                 "127.0.0.1:-1", "localhost:9090", "", "unix:");
    CAPTURE(bad);
    CHECK(uci::server::check_admin_address(bad));
}
