#include "uci/json/web/room_request.hpp"

#include <string>

#include "uci/json/web/limits.hpp"

#include "tests/catch.hpp"

using namespace uci::json::web;

TEST_CASE("a request for a review has names and a language, which may be missing", "[json]") {
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

TEST_CASE("a request for a review with a wrong member is refused", "[json]") {
    const std::string long_name(max_player_name + 1, 'x');
    const std::string member =
        GENERATE_COPY(as<std::string>{}, R"("white":1)", R"("black":null)", R"("language":"xx")",
                      R"("language":1)", R"("white":")" + long_name + R"(")");
    CAPTURE(member);
    CHECK_FALSE(read_room_request(R"({"message_type":"start_review",)" + member + "}"));
}

TEST_CASE("a request for positions names the first one, or means the start", "[json]") {
    const auto [text, from] = GENERATE(
        table<std::string, std::uint64_t>({{R"({"message_type":"get_positions"})", 0},
                                           {R"({"message_type":"get_positions","from":7})", 7}}));
    const auto request = read_room_request(text);
    REQUIRE(request);
    const auto* positions = std::get_if<GetPositions>(&*request);
    REQUIRE(positions != nullptr);
    CHECK(positions->from == from);
    CHECK_FALSE(read_room_request(R"({"message_type":"get_positions","from":-1})"));
    CHECK_FALSE(read_room_request(R"({"message_type":"get_positions","from":"1"})"));
}
