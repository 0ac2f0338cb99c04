#pragma once

#include <optional>
#include <string>

#include "uci/net/request_handler.hpp"

// The same-origin check of all servers. It protects against pages of other sites that send requests
// through a visitor's browser (CSRF, DNS rebinding).
namespace uci::net {

/// The headers that say which page sent a request.
struct RequestOrigin {
    std::optional<std::string> host;
    std::optional<std::string> origin;
    std::string fetch_site;  ///< Sec-Fetch-Site, in lower case
};

RequestOrigin request_origin(const HttpRequest& request);

/// Whether the Host header may name this server. A server that only this machine can reach accepts
/// only loopback names and addresses, or no Host, so that DNS rebinding does not reach it.
bool is_own_host(const std::optional<std::string>& host, bool local_only);

/// Whether a request may change something: no page of another origin sent it, and its Host is ours.
bool passes_same_origin_check(const RequestOrigin& request, bool local_only);

}  // namespace uci::net
