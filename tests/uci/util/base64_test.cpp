#include "uci/util/base64.hpp"

#include "tests/catch.hpp"

using namespace uci::util;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

}  // namespace

TEST_CASE("base64 encodes bytes and decodes them again", "[util]") {
    const auto [text, expected] = GENERATE(table<std::string, std::string>({
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xFF\xFE\xFB", "//77"},
    }));
    CAPTURE(text);
    CHECK(base64(bytes_of(text)) == expected);
    const auto back = read_base64(expected);
    REQUIRE(back);
    CHECK(*back == bytes_of(text));
}

TEST_CASE("unpadded base64 has no trailing =", "[util]") {
    CHECK(unpadded_base64(bytes_of("foob")) == "Zm9vYg");
    CHECK(unpadded_base64({}).empty());
}

TEST_CASE("text that is not canonical base64 is refused", "[util]") {
    const auto text =
        GENERATE("Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm 9", "Zm9-", "Zg==Zg==");
    CAPTURE(text);
    CHECK_FALSE(read_base64(text));
}
