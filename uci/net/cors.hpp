#pragma once

#include <string>

#include "uci/net/request_handler.hpp"
#include "uci/net/same_origin.hpp"

// Cross-origin resource sharing: which pages of other origins may use a server.
namespace uci::net {

/// How a request's Origin is treated.
enum class CorsResult : std::uint8_t {
    same_origin,      ///< not sent by a page, or by a page of this server
    allowed,          ///< sent by a page of an allowed origin
    preflight,        ///< a preflight request of such a page
    forbidden_origin  ///< sent by any other page
};

/// Which pages may use a server: its own and those of the allowed origins. A page whose name an
/// attacker has pointed to this machine (DNS rebinding) is none of these.
class Cors {
public:
    /// The origins beside the server's own; their names are good as Host, too, because a web server
    /// in front may pass them on.
    explicit Cors(const std::vector<Origin>& allowed) : allowed_{allowed}, same_origin_{allowed} {}

    /// What a request may do. Error: its Host is not this server, or it says that another site sent
    /// it but not which; and the option that would allow it.
    core::Result<CorsResult> check(const HttpRequest& request) const;

    const SameOrigin& same_origin() const { return same_origin_; }

private:
    std::vector<Origin> allowed_;
    SameOrigin same_origin_;
};

/// The response to a forbidden or a preflight request, which goes no further.
HttpResponse cors_response(CorsResult result, const HttpRequest& request);

/// Adds the CORS headers to the response to a request.
void add_cors_headers(HttpResponse& response, CorsResult result, const HttpRequest& request);

}  // namespace uci::net
