#include "uci/json/request.hpp"

#include "uci/json/strict_object.hpp"

#include "tests/catch.hpp"

using namespace uci::json;
using Strings = std::vector<std::string>;

namespace {

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

/// A valid request with an additional member.
std::string with(const std::string& extra) {
    return R"({"message_type":"get_legal_moveset",)" + extra + "}";
}

std::string of_size(std::size_t size) {
    const auto shell = with(R"("x":"")");
    return with(R"("x":")" + std::string(size - shell.size(), 'a') + R"(")");
}

}  // namespace

TEST_CASE("requests are parsed with their members", "[json]") {
    const auto move = read_request(R"({"message_type":"peice move","from":"D2","to":"h8"})");
    REQUIRE(move);
    REQUIRE(std::holds_alternative<PieceMove>(*move));
    CHECK(std::get_if<PieceMove>(&*move)->from.name() == "d2");
    CHECK(std::get_if<PieceMove>(&*move)->to.name() == "h8");
    const auto choice =
        read_request(R"({"piece_choice":"knight","message_type":"piece_promotion_choice"})");
    REQUIRE(choice);
    CHECK(std::get_if<PromotionChoice>(&*choice)->piece == core::PieceType::knight);
    const auto game = read_request(R"({"message_type":"new_game","fen":"x"})");
    REQUIRE(game);
    CHECK(std::get_if<NewGame>(&*game)->fen == "x");
    const auto timeout = read_request(R"({"message_type":"timeout","player":"black"})");
    REQUIRE(timeout);
    CHECK(std::get_if<Timeout>(&*timeout)->player == core::Color::black);
    const auto tablebase = read_request(R"({"message_type":"tablebase"})");
    REQUIRE(tablebase);
    CHECK(std::holds_alternative<Tablebase>(*tablebase));
}

TEST_CASE("search limits are parsed, and a search always ends by itself", "[json]") {
    struct Case {
        const char* text;
        int milliseconds;
        std::optional<std::uint64_t> nodes;
        std::optional<int> depth;
    };
    const auto test = GENERATE(
        Case{R"({"message_type":"hint"})", 1000, {}, {}},
        Case{R"({"message_type":"hint","milliseconds":1})", 1, {}, {}},
        Case{R"({"message_type":"hint","milliseconds":60000})", 60000, {}, {}},
        Case{R"({"message_type":"hint","nodes":500})", 60000, 500, {}},
        Case{R"({"message_type":"hint","nodes":18446744073709551615})", 60000, UINT64_MAX, {}},
        Case{R"({"message_type":"hint","depth":240})", 60000, {}, 240},
        Case{R"({"message_type":"hint","depth":7,"nodes":9,"milliseconds":5})", 5, 9, 7});
    CAPTURE(test.text);
    const auto request = read_request(test.text);
    REQUIRE(request);
    const auto& limits = std::get_if<Hint>(&*request)->limits;
    CHECK(limits.movetime == engine::Milliseconds{test.milliseconds});
    CHECK(limits.nodes == test.nodes);
    CHECK(limits.depth == test.depth);
    CHECK(limits.ends_by_itself());
}

TEST_CASE("search limits that are not positive integers are rejected", "[json]") {
    const auto name = GENERATE("milliseconds", "nodes", "depth");
    const auto value =
        GENERATE("0", "-1", "-0", "1.0", "1e3", "1.5", "\"5\"", "null", "true", "[5]", "{}", "NaN",
                 "Infinity", "1e999", "18446744073709551616", "99999999999999999999999999");
    CAPTURE(name, value);
    const auto member = "\"" + std::string{name} + "\":" + value;
    CHECK_FALSE(read_request(R"({"message_type":"engine_move",)" + member + "}"));
    CHECK_FALSE(read_request(R"({"message_type":"hint",)" + member + "}"));
}

TEST_CASE("the engine's move may have an Elo, beside other limits", "[json]") {
    struct Case {
        const char* members;
        int elo;
        int milliseconds;
    };
    const auto test = GENERATE(Case{R"("elo":600)", 600, 60000}, Case{R"("elo":2800)", 2800, 60000},
                               Case{R"("elo":1500,"milliseconds":20,"depth":4)", 1500, 20});
    CAPTURE(test.members);
    const auto request =
        read_request(R"({"message_type":"engine_move",)" + std::string{test.members} + "}");
    REQUIRE(request);
    const auto& limits = std::get_if<EngineMove>(&*request)->limits;
    CHECK(limits.elo == test.elo);
    CHECK(limits.movetime == engine::Milliseconds{test.milliseconds});
    CHECK(limits.ends_by_itself());
}

TEST_CASE("an Elo out of range is rejected", "[json]") {
    const auto value = GENERATE("599", "2801", "0", "-1500", "1500.5", "\"1500\"", "null", "true",
                                "[1500]", "1e3", "99999999999999999999");
    CAPTURE(value);
    CHECK_FALSE(read_request(R"({"message_type":"engine_move","elo":)" + std::string{value} + "}"));
}

TEST_CASE("times and depths out of range are rejected", "[json]") {
    CHECK_FALSE(read_request(R"({"message_type":"hint","milliseconds":60001})"));
    CHECK_FALSE(read_request(R"({"message_type":"hint","depth":241})"));
}

TEST_CASE("unknown members are ignored", "[json]") {
    const auto extra = GENERATE(R"("fen":5)", R"("from":null)", R"("x":"\ud83d\ude00")",
                                R"("x":-1.5e-3)", R"("x":[1,"2",{"y":[]}])", R"("":"")",
                                R"("x":123456789012345678901234567890)", "\"x\":\"\xC3\xA4\"");
    CAPTURE(extra);
    CHECK(read_request(with(extra)));
}

TEST_CASE("white space is ignored", "[json]") {
    CHECK(read_request("  {\t\"message_type\" :\r \"new_game\" } \r"));
    CHECK(read_request("{\n\"message_type\":\"new_game\"\n}\n"));
}

TEST_CASE("a text that is not one strict JSON object is rejected", "[json]") {
    const auto text =
        GENERATE(as<std::string>{}, "", " ", "hello", "null", "5", "true", "[]", "\"new_game\"",
                 "{", "}", "{}}", "[{}]", "{}{}", "{} x", "{,}", R"({"message_type"})",
                 R"({"message_type":})", R"({"message_type":"new_game",})",
                 R"({message_type:"new_game"})", R"({'message_type':'new_game'})",
                 R"({"message_type":"new_game"}//)", R"({"message_type":"new_game"/**/})",
                 R"({"message_type":"new_game)", R"([{"message_type":"new_game"}])",
                 R"({"message_type":"new_game"}{"message_type":"new_game"})");
    CAPTURE(text);
    CHECK_FALSE(read_request(text));
}

TEST_CASE("byte order marks, zero bytes and trailing bytes are rejected", "[json]") {
    const std::string fine = R"({"message_type":"new_game"})";
    REQUIRE(read_request(fine));
    CHECK_FALSE(read_request("\xEF\xBB\xBF" + fine));
    CHECK_FALSE(read_request(fine + std::string(1, '\0')));
    CHECK_FALSE(read_request(fine + std::string(1, '\0') + "garbage"));
    CHECK_FALSE(read_request(std::string(1, '\0') + fine));
    CHECK_FALSE(read_request("\xFF\xFE" + fine));
    CHECK_FALSE(read_request(fine + "\x1A"));
}

TEST_CASE("invalid UTF-8 is rejected in values, names and nested values", "[json]") {
    const auto text = GENERATE("\x80", "\xC3", "\xC0\xAF", "\xE2\x82", "\xED\xA0\x80",
                               "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF", "\\ud800",
                               "\\udc00", "\\ud800\\u0041", "\\x41", "\\u12", "\t", "\n");
    CAPTURE(text);
    CHECK_FALSE(read_request(with("\"x\":\"" + std::string{text} + "\"")));
    CHECK_FALSE(read_request(with("\"" + std::string{text} + "\":1")));
    CHECK_FALSE(read_request(with("\"x\":[[\"" + std::string{text} + "\"]]")));
}

TEST_CASE("duplicate names are rejected in one object and accepted in two", "[json]") {
    CHECK_FALSE(read_request(R"({"message_type":"new_game","message_type":"new_game"})"));
    CHECK_FALSE(read_request(R"({"message_type":"new_game","message\u005ftype":"new_game"})"));
    CHECK_FALSE(read_request(with(R"("x":1,"x":2)")));
    CHECK_FALSE(read_request(with(R"("x":{"y":1,"y":2})")));
    CHECK_FALSE(read_request(with(R"("x":[{"y":1,"y":2}])")));
    CHECK(read_request(with(R"("x":{"message_type":1},"y":[{"x":1},{"x":1}])")));
}

TEST_CASE("a nested message_type does not count", "[json]") {
    CHECK_FALSE(read_request(R"({"x":{"message_type":"new_game"}})"));
    CHECK_FALSE(read_request(R"({"message_type":{"message_type":"new_game"}})"));
    CHECK_FALSE(read_request(R"({"message_type":["new_game"]})"));
}

TEST_CASE("size, nesting and number of members are limited", "[json]") {
    CHECK(read_request(of_size(max_message_size)));
    CHECK_FALSE(read_request(of_size(max_message_size + 1)));
    CHECK(read_request(with(R"("x":[{"y":[]}])")));
    CHECK_FALSE(read_request(with(R"("x":[{"y":[[]]}])")));
    CHECK_FALSE(read_request(with(R"("x":[[[{}]]])")));
    const auto members = [](int count) {
        std::string text = R"("x0":0)";
        for (int i = 1; i < count; ++i)
            text += ",\"x" + std::to_string(i) + "\":0";
        return text;
    };
    CHECK(read_request(with(members(max_members - 1))));
    CHECK_FALSE(read_request(with(members(max_members))));
}

TEST_CASE("deep nesting is rejected", "[json]") {
    const auto opening = GENERATE(as<std::string>{}, "[", "{\"x\":", "[{\"x\":");
    CAPTURE(opening);
    CHECK_FALSE(read_request(repeated(opening, 700)));
    CHECK_FALSE(read_request(with("\"x\":" + repeated(opening, 500))));
    CHECK_FALSE(read_request(repeated(opening, 1'000'000)));
}

TEST_CASE("missing and wrong values are rejected", "[json]") {
    const auto text = GENERATE(
        R"({})", R"({"message_type":null})", R"({"message_type":5})", R"({"message_type":""})",
        R"({"message_type":"Peice move","from":"D2","to":"D4"})",
        R"({"message_type":"move","from":"D2","to":"D4"})", R"({"message_type":"peice move"})",
        R"({"message_type":"peice move","from":"D2"})",
        R"({"message_type":"peice move","from":"D2","to":4})",
        R"({"message_type":"peice move","from":["D2"],"to":"D4"})",
        R"({"message_type":"peice move","from":"D2","to":""})",
        R"({"message_type":"peice move","from":"D2","to":"D"})",
        R"({"message_type":"peice move","from":"D2","to":"D9"})",
        R"({"message_type":"peice move","from":"D2","to":"D4 "})",
        R"({"message_type":"peice move","from":"D2","to":"D4Q"})",
        R"({"message_type":"peice move","from":"I2","to":"D4"})",
        R"({"message_type":"peice move","from":"@2","to":"D4"})",
        R"({"message_type":"piece_promotion_choice"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":"king"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":"pawn"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":"Queen"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":"q"})",
        R"({"message_type":"piece_promotion_choice","piece_choice":1})",
        R"({"message_type":"new_game","fen":null})", R"({"message_type":"new_game","fen":7})",
        R"({"message_type":"resignation"})", R"({"message_type":"resignation","player":"White"})",
        R"({"message_type":"resignation","player":0})", R"({"message_type":"timeout"})",
        R"({"message_type":"timeout","player":"both"})");
    CAPTURE(text);
    CHECK_FALSE(read_request(text));
}
