#include "uci/net/origin.hpp"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>

#include "uci/net/http.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;

std::string text_of(boost::beast::string_view text) {
    return {text.data(), text.size()};
}

/// Whether the host that a request names is one that this site has.
bool names_us(const std::string& host, bool local_only) {
    RequestHead head;
    head.host = host;
    return is_trusted(head, local_only);
}

}  // namespace

OriginVerdict judge_origin(const HttpRequest& request,
                           const std::string& allowed,
                           bool local_only) {
    const auto origin = text_of(request[http::field::origin]);
    if (origin.empty())
        return OriginVerdict::own;
    const auto host = text_of(request[http::field::host]);
    if ((origin == "http://" + host || origin == "https://" + host) && names_us(host, local_only))
        return OriginVerdict::own;
    if (origin != allowed)
        return OriginVerdict::forbidden;
    return request.method() == http::verb::options ? OriginVerdict::preflight
                                                   : OriginVerdict::allowed;
}

HttpResponse answer_to_origin(OriginVerdict verdict, const std::string& allowed) {
    HttpResponse response{
        verdict == OriginVerdict::preflight ? http::status::no_content : http::status::forbidden,
        11};
    add_origin_headers(response, verdict, allowed);
    return response;
}

void add_origin_headers(HttpResponse& response, OriginVerdict verdict, const std::string& allowed) {
    if (verdict == OriginVerdict::own || verdict == OriginVerdict::forbidden)
        return;
    response.set(http::field::access_control_allow_origin, allowed);
    response.set(http::field::access_control_allow_credentials, "true");
    response.insert(http::field::vary, "Origin");
    if (verdict == OriginVerdict::allowed)
        return;
    response.insert(http::field::vary, "Access-Control-Request-Method");
    response.insert(http::field::vary, "Access-Control-Request-Headers");
    response.set(http::field::access_control_allow_methods,
                 "GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS");
    response.set(http::field::access_control_allow_headers, "Origin,Content-Length,Content-Type");
    response.set(http::field::access_control_max_age, "43200");
}

}  // namespace uci::net
