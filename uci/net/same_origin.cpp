#include "uci/net/same_origin.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/field.hpp>
#include <string_view>

#include "core/text.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;

/// A Host header without its port.
std::string host_name(std::string_view host) {
    const auto bracket = host.rfind(']');
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket))
        host = host.substr(0, colon);
    return core::lowercase(host);
}

/// Whether a host name can only mean this machine, whatever a name server answers.
bool is_loopback(std::string_view name) {
    if (name == "localhost")
        return true;
    if (name.starts_with('[') && name.ends_with(']'))
        name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(name, error);
    return !error && address.is_loopback();
}

/// The host and port of an origin such as https://name:port.
std::string_view host_of_origin(std::string_view origin) {
    const auto start = origin.find("://");
    return start == std::string_view::npos ? origin : origin.substr(start + 3);
}

std::optional<std::string> header(const HttpRequest& request, boost::beast::string_view name) {
    const auto found = request.find(name);
    if (found == request.end())
        return std::nullopt;
    return std::string{found->value()};
}

}  // namespace

RequestOrigin request_origin(const HttpRequest& request) {
    return {header(request, "Host"), header(request, "Origin"),
            core::lowercase(header(request, "Sec-Fetch-Site").value_or(""))};
}

bool is_own_host(const std::optional<std::string>& host, bool local_only) {
    return !local_only || !host || is_loopback(host_name(*host));
}

bool passes_same_origin_check(const RequestOrigin& request, bool local_only) {
    if (request.fetch_site == "cross-site")
        return false;
    if (request.origin
        && core::lowercase(host_of_origin(*request.origin))
               != core::lowercase(request.host.value_or("")))
        return false;
    return is_own_host(request.host, local_only);
}

}  // namespace uci::net
