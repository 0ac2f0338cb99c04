#include "uci/net/target.hpp"

#include "tests/catch.hpp"

using namespace uci::net;

TEST_CASE("a target has a path and a query", "[net]") {
    const auto target =
        read_target("/game/a%2Fb%3c?is_black=1&movetime=5+00&x&is_black=no&%61=%zz%4");
    CHECK(target.path == "/game/a/b<");
    CHECK(target.value("is_black") == "1");
    CHECK(target.value("movetime") == "5 00");
    CHECK(target.value("x") == "");
    CHECK(target.value("a") == "%zz%4");
    CHECK_FALSE(target.value("y"));
    CHECK(read_target("").path.empty());
    CHECK(read_target("/+").path == "/+");
}

TEST_CASE("a cookie is found among others", "[net]") {
    CHECK(read_cookie("a=1; session_id=xyz; b=2", "session_id") == "xyz");
    CHECK(read_cookie("session_id=xyz ", "session_id") == "xyz");
    CHECK(read_cookie("session_id=", "session_id") == "");
    CHECK(read_cookie("session_id=1;session_id=2", "session_id") == "1");
    CHECK_FALSE(read_cookie("xsession_id=1; a=session_id=2", "session_id"));
    CHECK_FALSE(read_cookie("", "session_id"));
}
