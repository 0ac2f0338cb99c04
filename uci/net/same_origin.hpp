#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

#include "uci/net/origin.hpp"
#include "uci/net/request_handler.hpp"

// The same-origin check of all servers. It protects against pages of other sites that send requests
// through a visitor's browser (CSRF, DNS rebinding).
namespace uci::net {

/// The headers that say which page sent a request.
struct RequestOrigin {
    std::optional<std::string> host;
    std::optional<std::string> origin;
    std::string fetch_site;  ///< Sec-Fetch-Site, in lower case
    std::string referer;
};

RequestOrigin request_origin(const HttpRequest& request);

/// Which names a server has, and which pages are its own.
class SameOrigin {
public:
    SameOrigin() = default;
    /// `origins`: those under which a reverse proxy or a name server makes this server known.
    explicit SameOrigin(std::vector<Origin> origins) : origins_{std::move(origins)} {}

    /// Whether a request's Host is this server: a loopback name, an IP address (a page can make a
    /// browser send any name, by DNS rebinding, but no address), a name of the origins, or none.
    /// Error: the reason, and the option that would allow it.
    std::optional<core::Error> check_host(const RequestOrigin& request) const;
    /// Whether a request may change something: its Host is this server, and it was sent by a page
    /// of this server or by no page. Error: the reason, and the option that would allow it.
    std::optional<core::Error> check_change(const RequestOrigin& request) const;

    /// Whether a page of this origin, seen under this Host, is one of this server.
    bool is_own_origin(std::string_view origin, const std::optional<std::string>& host) const;
    /// Whether a browser reaches this Host by HTTPS only.
    bool is_https_host(const std::optional<std::string>& host) const;

private:
    bool is_named(std::string_view name) const;

    std::vector<Origin> origins_;
};

/// Whether a page that was loaded from this Host, by HTTP or HTTPS, has this origin.
bool is_origin_of_host(std::string_view origin, const std::optional<std::string>& host);

/// Whether Sec-Fetch-Site, in lower case, says that the request does not come from another site.
bool is_own_fetch_site(std::string_view fetch_site);

}  // namespace uci::net
