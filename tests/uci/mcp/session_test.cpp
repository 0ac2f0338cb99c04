#include "uci/mcp/session.hpp"

#include "tests/catch.hpp"

using namespace uci::mcp;

namespace {

std::string initialize(std::string_view revision) {
    return Json{{"jsonrpc", "2.0"},
                {"id", 0},
                {"method", "initialize"},
                {"params", {{"protocolVersion", revision}}}}
        .dump();
}

/// The only reaction to a line, which must be a line.
Json answer_to_line(Session& session, std::string_view line) {
    const auto reactions = session.handle_line(line);
    CAPTURE(line);
    REQUIRE(reactions.size() == 1);
    const auto* const answer = std::get_if<std::string>(&reactions.front());
    REQUIRE(answer != nullptr);
    CHECK(answer->find('\n') == std::string::npos);
    return Json::parse(*answer);
}

Json answer_to_line(std::string_view line) {
    Session session;
    return answer_to_line(session, line);
}

}  // namespace

TEST_CASE("a known revision is agreed to, any other is answered with the newest", "[mcp]") {
    const auto [asked, agreed] =
        GENERATE(table<std::string, std::string>({{"2024-11-05", "2024-11-05"},
                                                  {"2025-03-26", "2025-03-26"},
                                                  {"2025-06-18", "2025-06-18"},
                                                  {"2025-11-25", "2025-11-25"},
                                                  {"1999-01-01", std::string{newest_revision()}}}));
    const auto answer = answer_to_line(initialize(asked));
    CHECK(answer.at("id") == 0);
    CHECK(answer.at("result").at("protocolVersion") == agreed);
    CHECK(answer.at("result").at("capabilities").contains("tools"));
    CHECK(answer.at("result").at("serverInfo").at("name") == "parley");
}

TEST_CASE("ids come back as they were sent", "[mcp]") {
    const auto id = GENERATE(R"(0)", R"("0")", R"(-3)", R"("a \"b\"")", R"(9007199254740993)");
    const auto answer =
        answer_to_line(std::string{R"({"method":"ping","jsonrpc":"2.0","id":)"} + id + "}");
    CHECK(answer.at("id").dump() == id);
    CHECK(answer.at("result").empty());
}

TEST_CASE("what is no request is refused with the code that says why", "[mcp]") {
    const auto [line, code] = GENERATE(table<std::string, int>({
        {"e2e4", -32700},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,", -32700},
        {"{\"a\":\"\xff\"}", -32700},
        {"[]", -32600},
        {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", -32600},
        {"7", -32600},
        {R"({"id":1,"method":"ping"})", -32600},
        {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", -32600},
        {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600},
        {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", -32600},
        {R"({"jsonrpc":"2.0","id":1})", -32600},
        {R"({"jsonrpc":"2.0","id":1,"method":3})", -32600},
        {R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})", -32601},
        {R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", -32601},
        {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})", -32602},
        {R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", -32602},
        {R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}})", -32602},
        {R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})", -32602},
        {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}})", -32602},
        {R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"board","arguments":[]}})",
         -32602},
        {std::string(300 << 10, ' ') + "{}", -32600},
        {std::string(1000, '[') + std::string(1000, ']'), -32600},
    }));
    const auto answer = answer_to_line(line);
    CHECK(answer.at("error").at("code") == code);
    CHECK_FALSE(answer.at("error").at("message").get<std::string>().empty());
}

TEST_CASE("nothing answers notifications, responses and blank lines", "[mcp]") {
    const auto line = GENERATE(R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
                               R"({"jsonrpc":"2.0","method":"anything","params":7})",
                               R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
                               R"({"jsonrpc":"2.0","id":4,"result":{}})",
                               R"({"jsonrpc":"2.0","id":4,"error":{}})", "", "  \r");
    CHECK(Session{}.handle_line(line).empty());
}

TEST_CASE("batches are taken in the revision that has them", "[mcp]") {
    Session session;
    answer_to_line(session, initialize("2025-03-26"));
    const auto reactions = session.handle_line(
        R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},3])");
    REQUIRE(reactions.size() == 2);
    CHECK(Json::parse(std::get<std::string>(reactions[0])).at("id") == 1);
    CHECK(Json::parse(std::get<std::string>(reactions[1])).at("error").at("code") == -32600);
    CHECK(answer_to_line(session, "[]").at("error").at("code") == -32600);
}

TEST_CASE("a call of a tool and a cancellation are passed on as reactions", "[mcp]") {
    Session session;
    const auto calls = session.handle_line(
        R"({"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"board",)"
        R"("arguments":{"moves":"e4"},"_meta":{"progressToken":7}}})");
    REQUIRE(calls.size() == 1);
    const auto& call = std::get<ToolCall>(calls[0]);
    CHECK(call.id == "c");
    CHECK(call.tool->name == "board");
    CHECK(call.arguments.at("moves") == "e4");
    CHECK(*call.progress_token == 7);
    const auto ends = session.handle_line(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}})");
    REQUIRE(ends.size() == 1);
    CHECK(std::get<Cancellation>(ends[0]).id == "c");
}

TEST_CASE("the list of tools has a schema for each", "[mcp]") {
    const auto answer = answer_to_line(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
    const auto& tools = answer.at("result").at("tools");
    REQUIRE(tools.size() == 6);
    for (const auto& tool : tools) {
        CHECK(tool.at("inputSchema").at("type") == "object");
        CHECK(tool.at("inputSchema").at("properties").begin().key() == "moves");
        CHECK(tool.at("outputSchema").at("type") == "object");
        CHECK(tool.at("annotations").at("readOnlyHint") == true);
    }
}
