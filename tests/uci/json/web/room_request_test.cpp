#include "uci/json/web/room_request.hpp"

#include <string>

#include "uci/json/web/limits.hpp"

#include "tests/catch.hpp"

using namespace uci::json::web;

TEST_CASE("a request for a review has names and a language, which may be missing",
          "[room_request]") {
    const auto bare = read_room_request(R"({"message_type":"start_review"})");
    REQUIRE(bare);
    const auto* review = std::get_if<StartReview>(&*bare);
    REQUIRE(review != nullptr);
    CHECK(review->players[0] == "White");
    CHECK(review->players[1] == "Black");
    CHECK(review->language == engine::explain::Language::english);
    const auto full = read_room_request(
        R"({"message_type":"start_review","white":"Ann","black":"B\u00f6b","language":"de"})");
    REQUIRE(full);
    review = std::get_if<StartReview>(&*full);
    REQUIRE(review != nullptr);
    CHECK(review->players[0] == "Ann");
    CHECK(review->players[1] == "B\xc3\xb6" "b");
    CHECK(review->language == engine::explain::Language::german);
}

TEST_CASE("a request for a review with a wrong member is refused", "[room_request]") {
    const std::string long_name(max_player_name + 1, 'x');
    const std::string member =
        GENERATE_COPY(as<std::string>{}, R"("white":1)", R"("black":null)", R"("language":"xx")",
                      R"("language":1)", R"("white":")" + long_name + R"(")");
    CAPTURE(member);
    CHECK_FALSE(read_room_request(R"({"message_type":"start_review",)" + member + "}"));
}
