#include "uci/util/hex.hpp"

#include <numeric>

#include "tests/catch.hpp"

using namespace uci::util;

TEST_CASE("hex encodes every byte and read_hex decodes it again", "[util]") {
    std::vector<std::uint8_t> bytes(256);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
    const auto text = hex(bytes);
    CHECK(text.substr(0, 6) == "000102");
    CHECK(text.substr(506) == "fdfeff");
    const auto read = read_hex(text);
    REQUIRE(read);
    CHECK(*read == bytes);
}

TEST_CASE("read_hex accepts capital digits", "[util]") {
    const auto bytes = read_hex("aBCd");
    REQUIRE(bytes);
    CHECK(*bytes == std::vector<std::uint8_t>{0xAB, 0xCD});
}

TEST_CASE("text that is not hexadecimal is refused", "[util]") {
    const auto text = GENERATE("0", "000", "0g", "g0", "0x00", "00 00", "-1", "\xC3\xA4");
    CAPTURE(text);
    CHECK_FALSE(read_hex(text));
}
