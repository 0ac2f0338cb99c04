#include "uci/net/origin.hpp"

#include "tests/catch.hpp"

using namespace uci::net;

TEST_CASE("an origin is read and written as browsers write it", "[net]") {
    const auto [text, written] = GENERATE(table<std::string, std::string>({
        {"https://chess.example", "https://chess.example"},
        {"HTTPS://Chess.Example:443/", "https://chess.example"},
        {"http://localhost:5173/", "http://localhost:5173"},
        {"http://x:80", "http://x"},
        {"https://x:80", "https://x:80"},
        {"http://[::1]:8080", "http://[::1]:8080"},
        {"http://[::1]", "http://[::1]"},
        {"http://192.0.2.1", "http://192.0.2.1"},
        {"https://xn--bcher-kva.example", "https://xn--bcher-kva.example"},
    }));
    CAPTURE(text);
    const auto origin = read_origin(text);
    REQUIRE(origin);
    CHECK(to_string(*origin) == written);
}

TEST_CASE("what is no origin is refused with a reason", "[net]") {
    const std::string text =
        GENERATE("", "null", "*", "chess.example", "//chess.example", "ftp://x", "http://",
                 "http:///", "http://x/y", "http://x//", "http://x?y", "http://x y", "http://u@x",
                 "http://x:", "http://x:0", "http://x:65536", "http://x:y", "http://[::1",
                 "http://[]", "http://b\xc3\xbc");
    CAPTURE(text);
    const auto origin = read_origin(text);
    REQUIRE_FALSE(origin);
    CHECK(origin.reason().find("is not an origin such as https://chess.example")
          != std::string::npos);
}
