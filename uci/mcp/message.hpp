#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

// JSON-RPC 2.0, as the Model Context Protocol uses it: one message on each line.
namespace uci::mcp {

/// Ordered: keys are written in the order in which they are set.
using Json = nlohmann::ordered_json;

inline constexpr std::size_t max_message_size = std::size_t{256} << 10;
/// Objects and arrays within each other.
inline constexpr int max_nesting = 32;

enum class ErrorCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603
};

/// A request, or, without an id, a notification.
struct Message {
    std::optional<Json> id;  ///< an integer or a string
    std::string method;
    Json params = Json::object();
};

/// A message that the peer sends without being asked to by us: a response to nothing.
struct StrayResponse {};

/// Why a line or a request cannot be handled.
struct Fault {
    Json id;  ///< null if it is not known
    ErrorCode code{};
    std::string reason;
};

/// Parses a line. Fault: it is too long, too deep, or no JSON.
std::variant<Json, Fault> read_json(std::string_view line);

/// Fault: the JSON is no request, no notification and no response.
std::variant<Message, StrayResponse, Fault> read_message(Json json);

/// Whether JSON may be an id: an integer or a string.
bool is_id(const Json& json);

std::string result_message(const Json& id, Json result);
std::string error_message(const Fault& fault);
std::string notification(std::string_view method, Json params);

}  // namespace uci::mcp
