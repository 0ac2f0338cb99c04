#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace uci::net {

/// A web origin (RFC 6454), in lower case.
struct Origin {
    std::string scheme;  ///< http or https
    std::string name;    ///< a host name or an IP address; IPv6 in brackets
    int port = 0;

    friend bool operator==(const Origin&, const Origin&) = default;
};

/// Reads an origin such as https://chess.example or http://localhost:5173; a slash may follow.
/// Error: what is wrong with it.
core::Result<Origin> read_origin(std::string_view text);
/// Checks what read_origin() reads.
std::optional<core::Error> check_origin(const std::string& text);
/// Reads origins that have been checked.
std::vector<Origin> read_origins(const std::vector<std::string>& texts);

/// An origin as browsers write it, without the port that its scheme has anyway.
std::string to_string(const Origin& origin);

}  // namespace uci::net
