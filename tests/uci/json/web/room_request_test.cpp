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
    CHECK_FALSE(positions->line);
    const auto line = read_room_request(R"({"message_type":"get_positions","line":"e4 e5"})");
    REQUIRE(line);
    CHECK(std::get<GetPositions>(*line).line == "e4 e5");
    CHECK_FALSE(read_room_request(R"({"message_type":"get_positions","line":["e4"]})"));
    CHECK_FALSE(read_room_request(R"({"message_type":"get_positions","from":-1})"));
    CHECK_FALSE(read_room_request(R"({"message_type":"get_positions","from":"1"})"));
}

TEST_CASE("an analysis has from one to five lines, one without a number", "[json]") {
    const auto lines_of = [](const std::string& member) {
        const auto request =
            read_room_request(R"({"message_type":"start_analysis")" + member + "}");
        return request ? std::get<StartAnalysis>(*request).lines : 0;
    };
    CHECK(lines_of("") == 1);
    CHECK(lines_of(R"(,"lines":1)") == 1);
    CHECK(lines_of(R"(,"lines":5)") == max_analysis_lines);
    for (const auto* const wrong : {"0", "6", "-1", "1.5", R"("3")", "null"})
        CHECK(lines_of(R"(,"lines":)" + std::string{wrong}) == 0);
}
