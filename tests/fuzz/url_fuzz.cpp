#include "uci/net/url.hpp"

#include <string>

#include "uci/net/cookie.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using tests::require;

namespace {

std::string percent_encoded(std::string_view bytes) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string text;
    for (const char letter : bytes) {
        const auto byte = static_cast<unsigned char>(letter);
        text += {'%', digits[byte / 16], digits[byte % 16]};
    }
    return text;
}

}  // namespace

/// The input as a request's target, as a value in its query, and as a Cookie header.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{tests::text_of(data, size)};
    static_cast<void>(uci::net::parse_url(text));
    const auto target =
        uci::net::parse_url("/" + percent_encoded(text) + "?x=" + percent_encoded(text));
    require(target.path == "/" + text, "a percent-encoded path stands for its bytes");
    require(target.value("x") == text, "a percent-encoded value stands for its bytes");
    static_cast<void>(uci::net::read_cookie(text, "session"));
    const auto cookie = uci::net::read_cookie("session=abc; " + text, "session");
    require(cookie == "abc", "the first cookie of a name counts");
    return 0;
}
