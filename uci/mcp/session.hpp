#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "uci/mcp/message.hpp"
#include "uci/mcp/tools.hpp"

namespace uci::mcp {

/// A call of a tool, checked as far as it goes without running it.
struct ToolCall {
    Json id;
    const Tool* tool = nullptr;
    Json arguments = Json::object();
    std::optional<Json> progress_token;
};

/// The client does not want the answer to this request any more.
struct Cancellation {
    Json id;
};

/// What follows from a message: a line to write, or work.
using Reaction = std::variant<std::string, ToolCall, Cancellation>;

/// The rules of the protocol: which message is answered with what. Knows neither threads nor
/// transport.
class Session {
public:
    /// Handles a line of the client. Usually one reaction; none for notifications; several for a
    /// batch.
    std::vector<Reaction> handle_line(std::string_view line);

private:
    std::optional<Reaction> handle(Json json);
    std::optional<Reaction> handle_notification(const Message& message);
    Reaction handle_request(Message message);
    std::string initialize(const Message& message);

    std::string revision_;  ///< of the protocol; empty before initialize
};

/// The line that answers a call.
std::string answer_to(const Json& id, ToolResult result);

/// The newest revision of the protocol that is spoken.
std::string_view newest_revision();

}  // namespace uci::mcp
