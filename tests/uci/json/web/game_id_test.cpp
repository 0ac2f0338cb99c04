#include "uci/json/web/game_id.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace uci::json::web;

TEST_CASE("game ids are 32 digits and never the same", "[game_id]") {
    uci::util::SecureRandom randomness;
    std::set<std::string> ids;
    for (int i = 0; i < 1000; ++i) {
        const auto id = make_game_id(randomness);
        CHECK(is_game_id(id));
        ids.insert(id);
    }
    CHECK(ids.size() == 1000);
}

TEST_CASE("other texts are not game ids", "[game_id]") {
    const std::string text =
        GENERATE(as<std::string>{}, "", "0123456789abcdef", "0123456789abcdef0123456789abcdeg",
                 "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef0",
                 "../../../etc/passwd");
    CAPTURE(text);
    CHECK_FALSE(is_game_id(text));
}
