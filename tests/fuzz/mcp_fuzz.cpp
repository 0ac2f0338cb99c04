#include <string>
#include <variant>

#include "uci/mcp/session.hpp"

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/uci/mcp/fake_analyser.hpp"

namespace {

/// A line of the server: one JSON-RPC message.
void check_message(const std::string& line) {
    tests::require(line.find('\n') == std::string::npos, "an answer is one line");
    const auto json = uci::mcp::Json::parse(line, nullptr, false);
    tests::require(json.is_object() && json.contains("id"), "an answer is a response");
    tests::require(json.contains("result") != json.contains("error"), "a result or an error");
}

void check_call(const uci::mcp::ToolCall& call) {
    tests::FakeAnalyser analyser;
    auto result =
        run_tool(*call.tool, call.arguments, analyser, [](double, double, const std::string&) {});
    tests::require(!result.text.empty(), "a tool says something");
    check_message(answer_to(call.id, std::move(result)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    uci::mcp::Session session;
    auto text = tests::text_of(data, size);
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        for (const auto& reaction : session.handle_line(line)) {
            if (const auto* answer = std::get_if<std::string>(&reaction))
                check_message(*answer);
            else if (const auto* call = std::get_if<uci::mcp::ToolCall>(&reaction))
                check_call(*call);
        }
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return 0;
}
