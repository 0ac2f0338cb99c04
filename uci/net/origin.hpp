#pragma once

#include <string>
#include <string_view>

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

/// An origin as browsers write it, without the port that its scheme has anyway.
std::string to_string(const Origin& origin);

}  // namespace uci::net
