#pragma once

#include <string>

#include "uci/net/web.hpp"

// Which other sites' pages may use a site (CORS).
namespace uci::net {

/// What a request's origin means for it.
enum class OriginVerdict : std::uint8_t {
    own,        ///< no page, or one of this site's own: nothing special
    allowed,    ///< a page that may read the answer
    preflight,  ///< such a page only asks whether it may
    forbidden   ///< any other page
};

/// Only the pages of one origin may use the site, beside its own. Where only this machine reaches
/// the site, a page under a name that is not this machine's is not its own, whatever a rebound
/// name server says.
OriginVerdict judge_origin(const HttpRequest& request, const std::string& allowed, bool local_only);

/// The answer to a request that goes no further: forbidden, or a preflight.
HttpResponse answer_to_origin(OriginVerdict verdict, const std::string& allowed);

/// Tells the browser what was found.
void add_origin_headers(HttpResponse& response, OriginVerdict verdict, const std::string& allowed);

}  // namespace uci::net
