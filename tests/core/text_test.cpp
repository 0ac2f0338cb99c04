#include "core/text.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace core;

namespace {

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> result;
    Words words{text};
    while (const auto word = words.next())
        result.emplace_back(*word);
    return result;
}

}  // namespace

TEST_CASE("words are separated by blanks", "[text]") {
    CHECK(words_of("") == std::vector<std::string>{});
    CHECK(words_of(" \t\r\n ") == std::vector<std::string>{});
    CHECK(words_of("go") == std::vector<std::string>{"go"});
    CHECK(words_of("  go\tdepth \v 5\r\n") == std::vector<std::string>{"go", "depth", "5"});
    CHECK(words_of({"a\0b", 3}) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("peek does not remove the word", "[text]") {
    Words words{" setoption  name Hash value 16 "};
    CHECK(words.peek() == "setoption");
    CHECK(words.peek() == "setoption");
    CHECK(words.next() == "setoption");
    CHECK(words.rest() == "name Hash value 16");
    CHECK_FALSE(words.empty());
    while (words.next()) {
    }
    CHECK(words.empty());
    CHECK_FALSE(words.peek());
    CHECK(words.rest().empty());
}

TEST_CASE("an integer must fill the whole text", "[text]") {
    CHECK(read_integer("0") == 0);
    CHECK(read_integer("12") == 12);
    CHECK(read_integer("-3") == -3);
    CHECK(read_integer("+4") == 4);
    CHECK(read_integer("007") == 7);
    CHECK(read_integer("9223372036854775807") == INT64_MAX);
    CHECK(read_integer("-9223372036854775808") == INT64_MIN);
}

TEST_CASE("a text that is not an integer is refused", "[text]") {
    const auto text = GENERATE("", "-", "+", "+-4", "--4", "++4", "4x", "x4", " 4", "4 ", "1.5",
                               "1e3", "0x10", "9223372036854775808");
    CAPTURE(text);
    CHECK_FALSE(read_integer(text));
}

TEST_CASE("printable cuts and cleans the text", "[text]") {
    CHECK(printable("e2e4") == "e2e4");
    CHECK(printable("a\nb\tc") == "a?b?c");
    CHECK(printable("\xC3\xA9") == "??");
    CHECK(printable(std::string(60, 'x')) == std::string(60, 'x'));
    CHECK(printable(std::string(61, 'x')) == std::string(60, 'x') + "...");
}

TEST_CASE("lowercase changes ASCII letters and nothing else", "[text]") {
    CHECK(lowercase("") == "");
    CHECK(lowercase("Sec-Fetch-Site @[`{ 09") == "sec-fetch-site @[`{ 09");
    CHECK(lowercase("AZaz\xC4") == "azaz\xC4");
}

TEST_CASE("lowercase_no_blanks changes case and removes blanks", "[text]") {
    CHECK(lowercase_no_blanks("Clear Hash") == "clearhash");
    CHECK(lowercase_no_blanks(" UCI_Chess960\t") == "uci_chess960");
    CHECK(lowercase_no_blanks("").empty());
}
