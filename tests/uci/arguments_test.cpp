#include "uci/arguments.hpp"

#include "tests/catch.hpp"

using namespace uci;

namespace {

struct Wish {
    bool loud = false;
    std::string name = "nobody";
    int count = 1;

    core::Result<std::vector<std::string>> read(const std::vector<std::string>& arguments) {
        return read_arguments(arguments, {flag("--loud", loud), flag("-l", loud),
                                          text("--name", name), number("--count", count, 1, 10)});
    }
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("options get their values, other words are left", "[arguments]") {
    Wish wish;
    const auto words = wish.read({"a", "--count", "7", "b", "--name=me", "-l", ""});
    REQUIRE(words);
    CHECK(*words == Words{"a", "b", ""});
    CHECK(wish.count == 7);
    CHECK(wish.name == "me");
    CHECK(wish.loud);
}

TEST_CASE("what is not said stays as it was", "[arguments]") {
    Wish wish;
    REQUIRE(wish.read({}));
    CHECK(wish.count == 1);
    CHECK(wish.name == "nobody");
    CHECK_FALSE(wish.loud);
}

TEST_CASE("options that mean nothing are refused with a reason", "[arguments]") {
    Wish wish;
    const auto arguments = GENERATE(Words{"--loudly"}, Words{"-x"}, Words{"--count"},
                                    Words{"--count", "eleven"}, Words{"--count", "11"},
                                    Words{"--count=0"}, Words{"--loud=yes"}, Words{"--count="});
    const auto words = wish.read(arguments);
    REQUIRE_FALSE(words);
    CHECK(words.reason().find(arguments.front().substr(0, 3)) != std::string::npos);
    CHECK(wish.count == 1);
}
