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
    forbidden     ///< sent by a page of any other origin
};

/// Checks a request's Origin: only pages of this server and of the `allowed` origin may send
/// requests. With `local_only`, a page counts as this server's only under a loopback name, so that
/// DNS rebinding does not help.
CorsResult check_cors(const HttpRequest& request, const std::string& allowed, bool local_only);

/// The response to a forbidden or a preflight request, which goes no further.
HttpResponse cors_response(CorsResult result, const std::string& allowed);

/// Adds the CORS headers to a response.
void add_cors_headers(HttpResponse& response, CorsResult result, const std::string& allowed);

}  // namespace uci::net
