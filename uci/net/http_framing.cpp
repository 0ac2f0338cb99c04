#include "uci/net/http_framing.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/field.hpp>

namespace uci::net {

std::optional<core::Error> check_framing(const boost::beast::http::fields& fields) {
    using boost::beast::http::field;
    if (fields.count(field::host) > 1)
        return core::Error{"more than one Host"};
    const auto codings = fields.count(field::transfer_encoding);
    if (codings == 0)
        return std::nullopt;
    if (codings > 1 || !boost::beast::iequals(fields[field::transfer_encoding], "chunked"))
        return core::Error{"Transfer-Encoding: only chunked is understood"};
    if (fields.count(field::content_length) > 0)
        return core::Error{"both Transfer-Encoding and Content-Length"};
    return std::nullopt;
}

}  // namespace uci::net
