#include "uci/mcp/session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/build_info.hpp"

namespace uci::mcp {

namespace {

// Oldest first.
constexpr std::array<std::string_view, 4> revisions{"2024-11-05", "2025-03-26", "2025-06-18",
                                                    "2025-11-25"};
/// The only revision with batches: several messages in an array on one line.
constexpr std::string_view revision_with_batches = "2025-03-26";
constexpr std::size_t max_batch = 50;

constexpr const char* instructions =
    "Chess with an engine that knows the rules. Give positions as moves or PGN from the start of "
    "the "
    "game, not as a FEN made up from memory. Scores in pawns are for White.";

std::string refused(const Json& id, ErrorCode code, std::string reason) {
    return error_message({id, code, std::move(reason)});
}

Json tool_list() {
    auto list = Json::array();
    for (const auto& tool : all_tools())
        list.push_back(description_of(tool));
    return {{"tools", std::move(list)}};
}

/// The token under which the client wants to hear of progress.
std::optional<Json> progress_token(const Json& params) {
    const auto meta = params.find("_meta");
    if (meta == params.end() || !meta->is_object())
        return std::nullopt;
    const auto token = meta->find("progressToken");
    if (token == meta->end() || !is_id(*token))
        return std::nullopt;
    return *token;
}

Reaction call_of(const Json& id, Json params) {
    const auto name = params.find("name");
    if (name == params.end() || !name->is_string())
        return refused(id, ErrorCode::invalid_params, "\"name\" must be the name of a tool");
    const auto* const tool = find_tool(name->get_ref<const std::string&>());
    if (tool == nullptr)
        return refused(
            id, ErrorCode::invalid_params,
            fmt::format("Unknown tool: {}", core::printable(name->get_ref<const std::string&>())));
    ToolCall call{id, tool, Json::object(), progress_token(params)};
    if (const auto arguments = params.find("arguments"); arguments != params.end()) {
        if (!arguments->is_object())
            return refused(id, ErrorCode::invalid_params, "\"arguments\" must be an object");
        call.arguments = std::move(*arguments);
    }
    return call;
}

}  // namespace

std::string_view newest_revision() {
    return revisions.back();
}

std::vector<Reaction> Session::handle_line(std::string_view line) {
    if (core::Words{line}.empty())
        return {};
    auto json = read_json(line);
    if (const auto* fault = std::get_if<Fault>(&json))
        return {error_message(*fault)};
    auto& value = *std::get_if<Json>(&json);
    std::vector<Reaction> reactions;
    const bool is_batch = value.is_array() && revision_ == revision_with_batches && !value.empty();
    if (is_batch && value.size() > max_batch)
        return {refused(nullptr, ErrorCode::invalid_request,
                        fmt::format("a batch may have {} messages", max_batch))};
    auto messages = is_batch ? std::move(value) : Json::array({std::move(value)});
    for (auto& message : messages) {
        if (auto reaction = handle(std::move(message)))
            reactions.push_back(*std::move(reaction));
    }
    return reactions;
}

std::optional<Reaction> Session::handle(Json json) {
    auto read = read_message(std::move(json));
    if (const auto* fault = std::get_if<Fault>(&read))
        return error_message(*fault);
    auto* const message = std::get_if<Message>(&read);
    if (message == nullptr)
        return std::nullopt;
    if (!message->id)
        return handle_notification(*message);
    if (!message->params.is_object())
        return refused(*message->id, ErrorCode::invalid_params, "\"params\" must be an object");
    return handle_request(std::move(*message));
}

std::optional<Reaction> Session::handle_notification(const Message& message) {
    if (message.method != "notifications/cancelled" || !message.params.is_object())
        return std::nullopt;
    const auto id = message.params.find("requestId");
    if (id == message.params.end() || !is_id(*id))
        return std::nullopt;
    return Cancellation{*id};
}

Reaction Session::handle_request(Message message) {
    const auto& id = *message.id;
    if (message.method == "initialize")
        return initialize(message);
    if (message.method == "ping")
        return result_message(id, Json::object());
    if (message.method == "tools/list") {
        // There is one page, so no cursor was given out.
        if (message.params.contains("cursor"))
            return refused(id, ErrorCode::invalid_params, "unknown cursor");
        return result_message(id, tool_list());
    }
    if (message.method == "tools/call")
        return call_of(id, std::move(message.params));
    return refused(id, ErrorCode::method_not_found,
                   fmt::format("Method not found: {}", core::printable(message.method)));
}

std::string Session::initialize(const Message& message) {
    const auto asked = message.params.find("protocolVersion");
    if (asked == message.params.end() || !asked->is_string())
        return refused(*message.id, ErrorCode::invalid_params,
                       "\"protocolVersion\" must be a revision of the protocol");
    const auto* const known =
        std::find(revisions.begin(), revisions.end(), asked->get_ref<const std::string&>());
    revision_ = known == revisions.end() ? newest_revision() : *known;
    return result_message(
        *message.id,
        {{"protocolVersion", revision_},
         {"capabilities", {{"tools", Json::object()}}},
         {"serverInfo", {{"name", "parley"}, {"title", "Parley"}, {"version", engine::version()}}},
         {"instructions", instructions}});
}

std::string answer_to(const Json& id, ToolResult result) {
    Json answer;
    answer["content"] = Json::array({{{"type", "text"}, {"text", std::move(result.text)}}});
    if (!result.is_error)
        answer["structuredContent"] = std::move(result.structured);
    answer["isError"] = result.is_error;
    return result_message(id, std::move(answer));
}

}  // namespace uci::mcp
