#pragma once

#include <boost/beast/http/fields.hpp>
#include <optional>

#include "core/result.hpp"

namespace uci::net {

/// Checks the headers that say for whom a request is and where it ends, about which a proxy in
/// front and this server must agree (RFC 9112, 3.2 and 6.1). Error: more than one Host, or a
/// Transfer-Encoding that is unknown, repeated or combined with a Content-Length.
std::optional<core::Error> check_framing(const boost::beast::http::fields& fields);

}  // namespace uci::net
