#include "uci/net/cors.hpp"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

namespace uci::net {

namespace {

namespace http = boost::beast::http;

/// Whether a request may change something on the server.
bool may_change(const HttpRequest& request) {
    const auto method = request.method();
    return (method != http::verb::get && method != http::verb::head)
        || boost::beast::websocket::is_upgrade(request);
}

}  // namespace

core::Result<CorsResult> Cors::check(const HttpRequest& request) const {
    const auto source = request_origin(request);
    const auto host_error = same_origin_.check_host(source);
    if (!source.origin) {
        const auto error = may_change(request) ? same_origin_.check_change(source) : host_error;
        return error ? core::Result<CorsResult>{*error} : CorsResult::same_origin;
    }
    const bool is_own = same_origin_.is_own_origin(*source.origin, source.host)
                     && is_origin_of_host(*source.origin, source.host);
    if (is_own)
        return host_error ? core::Result<CorsResult>{*host_error} : CorsResult::same_origin;
    const auto origin = read_origin(*source.origin);
    if (!origin || std::find(allowed_.begin(), allowed_.end(), *origin) == allowed_.end())
        return CorsResult::forbidden_origin;
    return request.method() == http::verb::options ? CorsResult::preflight : CorsResult::allowed;
}

HttpResponse cors_response(CorsResult result, const HttpRequest& request) {
    HttpResponse response{
        result == CorsResult::preflight ? http::status::no_content : http::status::forbidden, 11};
    add_cors_headers(response, result, request);
    return response;
}

void add_cors_headers(HttpResponse& response, CorsResult result, const HttpRequest& request) {
    if (result == CorsResult::same_origin || result == CorsResult::forbidden_origin)
        return;
    response.set(http::field::access_control_allow_origin, request[http::field::origin]);
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
