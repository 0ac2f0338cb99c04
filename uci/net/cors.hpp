#pragma once

#include <string>

#include "uci/net/request_handler.hpp"

// Cross-origin resource sharing: which pages of other origins may use a server.
namespace uci::net {

/// How a request's Origin is treated.
enum class CorsResult : std::uint8_t {
    same_origin,  ///< not sent by a page, or by a page of this server
    allowed,      ///< sent by a page of the allowed origin
    preflight,    ///< a preflight request of such a page
    forbidden     ///< sent by any other page, or to a Host that is not this server
};

/// Checks a request's Origin and Host: only pages of this server and of the `allowed` origin, and
/// clients that are no pages, may send requests. With `local_only`, a request whose Origin is not
/// the allowed one must have a loopback name or address as its Host, or that of the allowed origin
/// and no Origin, or no Host. A page whose name an attacker has pointed to this machine (DNS
/// rebinding) has another Host; its GET requests have no Origin, because to the browser they go to
/// the page's own server.
CorsResult check_cors(const HttpRequest& request, const std::string& allowed, bool local_only);

/// The response to a forbidden or a preflight request, which goes no further.
HttpResponse cors_response(CorsResult result, const std::string& allowed);

/// Adds the CORS headers to a response.
void add_cors_headers(HttpResponse& response, CorsResult result, const std::string& allowed);

}  // namespace uci::net
