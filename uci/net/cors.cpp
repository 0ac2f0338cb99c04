#include "uci/net/cors.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <optional>

#include "uci/net/same_origin.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;

std::string text_of(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

/// Whether a page that was loaded from that host has this origin.
bool is_origin_of(const std::string& origin, const std::optional<std::string>& host) {
    return host && (origin == "http://" + *host || origin == "https://" + *host);
}

}  // namespace

CorsResult check_cors(const HttpRequest& request, const std::string& allowed, bool local_only) {
    const auto origin = text_of(request[http::field::origin]);
    const auto host = request_origin(request).host;
    if (is_own_host(host, local_only) && (origin.empty() || is_origin_of(origin, host)))
        return CorsResult::same_origin;
    // A web server in front of this one may pass on the Host of the allowed origin.
    if (origin.empty() && is_origin_of(allowed, host))
        return CorsResult::same_origin;
    if (origin != allowed)
        return CorsResult::forbidden;
    return request.method() == http::verb::options ? CorsResult::preflight : CorsResult::allowed;
}

HttpResponse cors_response(CorsResult result, const std::string& allowed) {
    HttpResponse response{
        result == CorsResult::preflight ? http::status::no_content : http::status::forbidden, 11};
    add_cors_headers(response, result, allowed);
    return response;
}

void add_cors_headers(HttpResponse& response, CorsResult result, const std::string& allowed) {
    if (result == CorsResult::same_origin || result == CorsResult::forbidden)
        return;
    response.set(http::field::access_control_allow_origin, allowed);
    response.set(http::field::access_control_allow_credentials, "true");
    response.insert(http::field::vary, "Origin");
    if (result == CorsResult::allowed)
        return;
    response.insert(http::field::vary, "Access-Control-Request-Method");
    response.insert(http::field::vary, "Access-Control-Request-Headers");
    response.set(http::field::access_control_allow_methods,
                 "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    response.set(http::field::access_control_allow_headers, "Origin,Content-Length,Content-Type");
    response.set(http::field::access_control_max_age, "43200");
}

}  // namespace uci::net
