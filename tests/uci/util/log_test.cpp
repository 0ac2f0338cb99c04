#include "uci/util/log.hpp"

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using uci::util::log_line_as_json;
using uci::util::log_line_as_text;

TEST_CASE("a log line as text has its fields as name=value", "[log]") {
    CHECK(log_line_as_text("stopped", {}) == "stopped");
    CHECK(log_line_as_text("request", {{"status", 200}, {"client", "::1"}})
          == "request status=200 client=::1");
    CHECK(log_line_as_text("a", {{"b", "two words"}, {"c", ""}, {"d", "x=y"}})
          == R"(a b="two words" c="" d="x=y")");
}

TEST_CASE("what users sent is escaped in a log line", "[log]") {
    const std::string hostile{"a\"b\\c\r\nparley: \x1b[2J\x7f\xc3\xa4"};
    CHECK(log_line_as_text("x", {{"text", hostile}})
          == R"(x text="a\"b\\c\x0d\x0aparley: \x1b[2J\x7f\xc3\xa4")");
    CHECK(log_line_as_text(hostile, {}) == R"(a"b\c\x0d\x0aparley: \x1b[2J\x7f\xc3\xa4)");
}

TEST_CASE("a log line as JSON can be read back, whatever it holds", "[log]") {
    const std::string text = GENERATE("plain", "a\"b\\c\r\n\x1b\x7f", "\xc3\xa4 \xe2\x80\xa8");
    const auto line = '{' + log_line_as_json("request", {{"text", text}, {"status", 200}}) + '}';
    CAPTURE(line);
    const auto read = nlohmann::json::parse(line);
    CHECK(read["message"] == "request");
    CHECK(read["text"] == text);
    CHECK(read["status"] == 200);
    for (const char letter : line)
        CHECK((letter >= ' ' && letter <= '\x7f'));
}

TEST_CASE("a long value is shortened, before it is escaped", "[log]") {
    const std::string value(100'000, '\x01');
    CHECK(log_line_as_text("x", {{"a", value}}).size() < 3'000);
    CHECK(log_line_as_json("x", {{"a", value}}).size() < 4'000);
    CHECK(log_line_as_text("x", {{"a", std::string(512, 'y')}}) == "x a=" + std::string(512, 'y'));
}

TEST_CASE("bytes that are not UTF-8 are replaced in JSON", "[log]") {
    const auto read = nlohmann::json::parse('{' + log_line_as_json("x", {{"a", "\xff\xc3"}}) + '}');
    CHECK(read["a"] == "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("a log line goes to the sink if its level is logged", "[log]") {
    using uci::util::LogLevel;
    std::string seen;
    uci::util::set_log_sink([&](LogLevel level, std::string_view text, uci::util::LogFields) {
        seen += std::to_string(static_cast<int>(level)) + std::string{text} + ' ';
    });
    uci::util::log_debug("no");
    uci::util::log_info("info");
    uci::util::log_error("error");
    uci::util::set_log_level(LogLevel::debug);
    uci::util::log_debug("yes");
    uci::util::set_log_level(LogLevel::info);
    uci::util::set_log_sink(nullptr);
    CHECK(seen == "2info 1error 3yes ");
}
