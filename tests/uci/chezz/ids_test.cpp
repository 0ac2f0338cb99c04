#include "uci/chezz/ids.hpp"

#include "tests/catch.hpp"

using namespace uci::chezz;
using namespace std::chrono_literals;

namespace {

/// When chezz-back made the game 2123936455100207104.
const std::chrono::system_clock::time_point then{1'795'222'000'000ms};

}  // namespace

TEST_CASE("a game's number is read as chezz-back reads it", "[chezz]") {
    const auto [text, expected] = GENERATE(table<std::string, std::int64_t>({
        {"1", 1},
        {"+5", 5},
        {"005", 5},
        {"2123936455100207104", 2'123'936'455'100'207'104},
        {"9223372036854775807", 9'223'372'036'854'775'807},
    }));
    CAPTURE(text);
    CHECK(read_game_id(text) == GameId{expected});
}

TEST_CASE("an invalid game number is rejected", "[chezz]") {
    const auto text = GENERATE("", "0", "-1", "abc", "1.5", "9223372036854775808", "0x10", "5 ");
    CAPTURE(text);
    CHECK_FALSE(read_game_id(text));
}

TEST_CASE("snowflakes grow with the time and hide its milliseconds", "[chezz]") {
    const auto first = snowflake(then, 0);
    CHECK(first > 0);
    CHECK(snowflake(then + 2s, 0) > first);
    CHECK((first & 0xFFFF'FFFF) == 0);
    CHECK(snowflake(then, 0xFFFF'FFFF) - first == 0xFFFF'FFFF);
    CHECK((first >> 32) == (first + (1LL << 32) - 1) >> 32);
    // Programs that read the time from it get it to about a second.
    const auto read = std::chrono::milliseconds{(first >> 22) + 1'288'834'974'657};
    CHECK(then.time_since_epoch() - read >= 0ms);
    CHECK(then.time_since_epoch() - read < 1024ms);
}

TEST_CASE("a session's id holds all bits of its token", "[chezz]") {
    uci::util::Token128 token{};
    CHECK(session_id(token) == "AAAAAAAAAAAAAAAAAAAAAA");
    token.fill(0xFF);
    CHECK(session_id(token) == "_____________________w");
    token[0] = 0xFB;
    CHECK(session_id(token).front() == '-');
    CHECK(is_session_id(session_id(token)));
}

TEST_CASE("a session's id has only characters that a cookie may have", "[chezz]") {
    CHECK(is_session_id("-P6vVCCjXRMraClAlzol"));
    const auto text = GENERATE("", "a b", "a;b", "a\"b", "{x}", "ä");
    CAPTURE(text);
    CHECK_FALSE(is_session_id(text));
    CHECK_FALSE(is_session_id(std::string(65, 'a')));
}
