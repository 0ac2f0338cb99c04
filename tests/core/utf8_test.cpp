#include "core/utf8.hpp"

#include <algorithm>
#include <string>

#include "tests/catch.hpp"

using namespace core;

TEST_CASE("UTF-8 is recognised", "[text]") {
    const auto text = GENERATE("", "ascii", "\xC3\xBC", "\xE6\xA3\x8B", "\xED\x9F\xBF",
                               "\xEE\x80\x80", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF");
    CAPTURE(text);
    CHECK(is_utf8(text));
}

TEST_CASE("overlong forms, surrogates and truncated letters are not UTF-8", "[text]") {
    const auto text = GENERATE("\xFC", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80",
                               "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                               "\xF5\x80\x80\x80", "a\x80", "\xE6\xA3", "\xE6\xA3z", "\xE6z\x8B");
    CAPTURE(text);
    CHECK_FALSE(is_utf8(text));
}

TEST_CASE("every byte of Windows-1252 becomes one letter of UTF-8", "[text]") {
    std::string all;
    for (int byte = 0; byte < 256; ++byte)
        all += static_cast<char>(byte);
    const auto text = utf8_from_windows_1252(all);
    CHECK(is_utf8(text));
    CHECK(std::count_if(
              text.begin(), text.end(),
              [](char letter) { return (static_cast<unsigned char>(letter) & 0xC0) != 0x80; })
          == 256);
    CHECK(utf8_from_windows_1252("Stra\xDF" "e") == "Stra\xC3\x9F" "e");
}
