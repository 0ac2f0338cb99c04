#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Request targets: text in, values out; no sockets.
namespace uci::net {

/// The target of a request: path and query, percent-decoded.
struct Url {
    std::string path;
    std::vector<std::pair<std::string, std::string>> query;

    /// The first value of a name in the query.
    std::optional<std::string> value(std::string_view name) const;
};

/// Parses a request target. Invalid percent escapes stay as they are.
Url parse_url(std::string_view target);

/// Percent-decodes a whole target without its leading slash; '+' becomes a blank. Nothing when an
/// escape is invalid or a character may not stand in a URL.
std::optional<std::string> decode_path(std::string_view target);

}  // namespace uci::net
