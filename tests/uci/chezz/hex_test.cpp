#include "uci/chezz/hex.hpp"

#include <numeric>

#include "tests/catch.hpp"

using namespace uci::chezz;

TEST_CASE("every byte comes back from its hexadecimal digits", "[chezz]") {
    Bytes bytes(256);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    const auto text = hex(bytes);
    CHECK(text.substr(0, 6) == "000102");
    CHECK(text.substr(506) == "fdfeff");
    const auto read = read_hex(text);
    REQUIRE(read);
    CHECK(*read == bytes);
}

TEST_CASE("hexadecimal digits may be capitals", "[chezz]") {
    const auto bytes = read_hex("aBCd");
    REQUIRE(bytes);
    CHECK(*bytes == Bytes{0xAB, 0xCD});
}

TEST_CASE("what is not hexadecimal is refused", "[chezz]") {
    const auto text = GENERATE("0", "000", "0g", "g0", "0x00", "00 00", "-1", "\xC3\xA4");
    CAPTURE(text);
    CHECK_FALSE(read_hex(text));
}
