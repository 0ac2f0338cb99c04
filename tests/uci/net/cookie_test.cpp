#include "uci/net/cookie.hpp"

#include "tests/catch.hpp"

using namespace uci::net;

TEST_CASE("read_cookie finds a cookie among others", "[net]") {
    CHECK(read_cookie("a=1; session_id=xyz; b=2", "session_id") == "xyz");
    CHECK(read_cookie("session_id=xyz ", "session_id") == "xyz");
    CHECK(read_cookie("session_id=", "session_id") == "");
    CHECK(read_cookie("session_id=1;session_id=2", "session_id") == "1");
    CHECK_FALSE(read_cookie("xsession_id=1; a=session_id=2", "session_id"));
    CHECK_FALSE(read_cookie("", "session_id"));
}
