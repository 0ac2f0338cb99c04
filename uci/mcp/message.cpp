#include "uci/mcp/message.hpp"

#include <utility>

#include <fmt/format.h>

namespace uci::mcp {

namespace {

/// The deepest nesting in a JSON text, which need not be valid. Beyond a limit, code that walks
/// through values by recursion could exhaust the stack.
int nesting_of(std::string_view text) {
    int open = 0;
    int deepest = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (in_string && letter == '\\')
            ++i;
        else if (letter == '"')
            in_string = !in_string;
        else if (!in_string && (letter == '{' || letter == '['))
            deepest = std::max(deepest, ++open);
        else if (!in_string && (letter == '}' || letter == ']'))
            --open;
    }
    return deepest;
}

std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::variant<Json, Fault> read_json(std::string_view line) {
    if (line.size() > max_message_size)
        return Fault{nullptr, ErrorCode::invalid_request,
                     fmt::format("a line may have {} bytes", max_message_size)};
    if (nesting_of(line) > max_nesting)
        return Fault{nullptr, ErrorCode::invalid_request, "the JSON is nested too deeply"};
    auto json = Json::parse(line, nullptr, false);
    if (json.is_discarded())
        return Fault{nullptr, ErrorCode::parse_error, "the line is not valid JSON"};
    return json;
}

bool is_id(const Json& json) {
    return json.is_string() || json.is_number_integer();
}

std::variant<Message, StrayResponse, Fault> read_message(Json json) {
    const auto refused = [](std::string reason) {
        return Fault{nullptr, ErrorCode::invalid_request, std::move(reason)};
    };
    if (!json.is_object())
        return refused("a message is a JSON object");
    const auto id = json.find("id");
    const bool has_id = id != json.end();
    if (has_id && !is_id(*id))
        return refused("an id is a string or an integer");
    Fault fault{has_id ? *id : Json{}, ErrorCode::invalid_request, ""};
    if (const auto version = json.find("jsonrpc"); version == json.end() || *version != "2.0") {
        fault.reason = R"("jsonrpc" must be "2.0")";
        return fault;
    }
    const auto method = json.find("method");
    if (method == json.end() && (json.contains("result") || json.contains("error")))
        return StrayResponse{};
    if (method == json.end() || !method->is_string()) {
        fault.reason = "\"method\" must be a string";
        return fault;
    }
    Message message{has_id ? std::optional{*id} : std::nullopt, method->get<std::string>()};
    if (const auto params = json.find("params"); params != json.end())
        message.params = std::move(*params);
    return message;
}

std::string result_message(const Json& id, Json result) {
    return text_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string error_message(const Fault& fault) {
    return text_of(
        {{"jsonrpc", "2.0"},
         {"id", fault.id},
         {"error", {{"code", static_cast<int>(fault.code)}, {"message", fault.reason}}}});
}

std::string notification(std::string_view method, Json params) {
    return text_of({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace uci::mcp
