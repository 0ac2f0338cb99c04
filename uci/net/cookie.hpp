#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace uci::net {

/// The first value of a name in a Cookie header.
std::optional<std::string> read_cookie(std::string_view header, std::string_view name);

}  // namespace uci::net
