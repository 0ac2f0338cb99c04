#include "uci/net/same_origin.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/field.hpp>
#include <string_view>

#include "core/text.hpp"

namespace uci::net {

namespace {

/// A Host header without its port.
std::string host_name(std::string_view host) {
    const auto bracket = host.rfind(']');
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket))
        host = host.substr(0, colon);
    return core::lowercase(host);
}

/// Whether a host name means the same machine to everybody, or this one.
bool is_fixed(std::string_view name) {
    if (name == "localhost")
        return true;
    if (name.starts_with('[') && name.ends_with(']'))
        name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    boost::asio::ip::make_address(std::string{name}, error);
    return !error;
}

std::optional<std::string> header(const HttpRequest& request, boost::beast::string_view name) {
    const auto found = request.find(name);
    if (found == request.end())
        return std::nullopt;
    return std::string{found->value()};
}

/// The origin of a page's address.
std::string origin_of_url(const std::string& url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos)
        return url;
    return url.substr(0, url.find_first_of("/?#", scheme + 3));
}

/// What --origin would need for a Host or an origin to be accepted, if it can be.
std::string origin_option(const std::string& origin) {
    const auto read = read_origin(origin);
    return read ? "; --origin " + to_string(*read) + " allows it" : "";
}

}  // namespace

RequestOrigin request_origin(const HttpRequest& request) {
    return {header(request, "Host"), header(request, "Origin"),
            core::lowercase(header(request, "Sec-Fetch-Site").value_or("")),
            header(request, "Referer").value_or("")};
}

bool SameOrigin::is_named(std::string_view name) const {
    return std::any_of(origins_.begin(), origins_.end(),
                       [&](const Origin& origin) { return origin.name == name; });
}

bool SameOrigin::is_https_host(const std::optional<std::string>& host) const {
    const auto name = host_name(host.value_or(""));
    return is_named(name)
        && std::none_of(origins_.begin(), origins_.end(), [&](const Origin& origin) {
               return origin.name == name && origin.scheme != "https";
           });
}

std::optional<core::Error> SameOrigin::check_host(const RequestOrigin& request) const {
    if (!request.host)
        return std::nullopt;
    const auto name = host_name(*request.host);
    if (is_fixed(name) || is_named(name))
        return std::nullopt;
    return core::Error{"Host " + core::quoted(*request.host) + " is not a name of this server"
                       + origin_option("http://" + *request.host)};
}

bool SameOrigin::is_own_origin(std::string_view origin,
                               const std::optional<std::string>& host) const {
    const auto read = read_origin(origin);
    if (!read)
        return false;
    if (std::find(origins_.begin(), origins_.end(), *read) != origins_.end())
        return true;
    // Anybody on the way can change a page that comes by HTTP.
    return is_origin_of_host(origin, host) && (read->scheme == "https" || !is_https_host(host));
}

std::optional<core::Error> SameOrigin::check_change(const RequestOrigin& request) const {
    if (auto error = check_host(request))
        return error;
    if (!is_own_fetch_site(request.fetch_site))
        return core::Error{"Sec-Fetch-Site " + core::quoted(request.fetch_site)
                           + ": only pages of this server may do this"};
    if (request.origin && !is_own_origin(*request.origin, request.host))
        return core::Error{"Origin " + core::quoted(*request.origin)
                           + " is not an origin of this server" + origin_option(*request.origin)};
    // Old browsers send neither of the two with a GET request.
    const bool names_a_page = request.origin || !request.fetch_site.empty();
    const auto page = origin_of_url(request.referer);
    if (names_a_page || page.empty() || is_own_origin(page, request.host))
        return std::nullopt;
    return core::Error{"Referer " + core::quoted(page) + " is not an origin of this server"
                       + origin_option(page)};
}

bool is_origin_of_host(std::string_view origin, const std::optional<std::string>& host) {
    const auto read = read_origin(origin);
    const auto own = read ? read_origin(read->scheme + "://" + host.value_or("")) : read;
    return own && *own == *read;
}

bool is_own_fetch_site(std::string_view fetch_site) {
    return fetch_site.empty() || fetch_site == "same-origin" || fetch_site == "none";
}

}  // namespace uci::net
