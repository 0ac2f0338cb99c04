#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What a request asks for and what it brings along. Texts in, texts out; no sockets.
namespace uci::net {

/// The target of a request in its parts, with their escapes resolved.
struct Target {
    std::string path;
    std::vector<std::pair<std::string, std::string>> query;

    /// The first value of a name in the query.
    std::optional<std::string> value(std::string_view name) const;
};

Target read_target(std::string_view target);

/// The first value of a name in a Cookie header.
std::optional<std::string> read_cookie(std::string_view header, std::string_view name);

}  // namespace uci::net
