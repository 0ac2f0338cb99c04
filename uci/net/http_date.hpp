#pragma once

#include <string>

namespace uci::net {

/// The present time as in a Date header: "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7).
std::string http_date();

}  // namespace uci::net
