#include "uci/net/url.hpp"

#include "tests/catch.hpp"

using namespace uci::net;
using namespace std::string_literals;

TEST_CASE("a request target has a path and a query", "[net]") {
    const auto target =
        parse_url("/game/a%2Fb%3c?is_black=1&movetime=5+00&x&is_black=no&%61=%zz%4");
    CHECK(target.path == "/game/a/b<");
    CHECK(target.value("is_black") == "1");
    CHECK(target.value("movetime") == "5 00");
    CHECK(target.value("x") == "");
    CHECK(target.value("a") == "%zz%4");
    CHECK_FALSE(target.value("y"));
    CHECK(parse_url("").path.empty());
    CHECK(parse_url("/+").path == "/+");
}

TEST_CASE("a path is percent-decoded once", "[net]") {
    const auto [path, decoded] =
        GENERATE(table<std::string, std::string>({{"/", ""},
                                                  {"", ""},
                                                  {"/status", "status"},
                                                  {"status", "status"},
                                                  {"//status", "/status"},
                                                  {"/move+e4%20e5", "move e4 e5"},
                                                  {"/%2B%2b+", "++ "},
                                                  {"/%2520", "%20"},
                                                  {"/%00%0a%FF", "\0\n\xff"s},
                                                  {"/a?b=c#d&e", "a?b=c#d&e"},
                                                  {"/\x7f", "\x7f"},
                                                  {"/%41", "A"}}));
    CAPTURE(path);
    CHECK(decode_path(path) == decoded);
}

TEST_CASE("a path with an invalid escape or character is refused", "[net]") {
    const std::string path = GENERATE("/%", "/%4", "/a%", "/a%a", "/%zz", "/%4g", "/%g4", "/%%41",
                                      "/%+1", "/a b", "/a\tb", "/\x80", "/a\x1f", "/%4\xff");
    CAPTURE(path);
    CHECK_FALSE(decode_path(path));
    CHECK_FALSE(decode_path("/a\0b"s));
}

TEST_CASE("every byte can be escaped in a path", "[net]") {
    std::string wanted;
    std::string path = "/";
    for (int byte = 0; byte < 256; ++byte) {
        const auto* digits = "0123456789abcdef";
        wanted += static_cast<char>(byte);
        path += {'%', digits[byte / 16], digits[byte % 16]};
    }
    CHECK(decode_path(path) == wanted);
}
