#include "uci/chenserver/http.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <limits>
#include <sstream>

#include "core/text.hpp"

#include "uci/net/http_date.hpp"
#include "uci/net/http_framing.hpp"

namespace uci::chenserver {

namespace {

namespace http = boost::beast::http;

constexpr std::array<std::string_view, 9> methods{"GET",   "HEAD",    "POST",  "PUT",    "DELETE",
                                                  "PATCH", "OPTIONS", "TRACE", "CONNECT"};
constexpr std::array<std::string_view, 2> endings{" HTTP/1.0\r", " HTTP/1.1\r"};

}  // namespace

bool is_request_line(std::string_view line) {
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos)
        return false;
    const auto method = line.substr(0, blank);
    if (std::find(methods.begin(), methods.end(), method) == methods.end())
        return false;
    if ((method == "GET" || method == "HEAD") && line.substr(blank + 1, 1) != "/")
        return false;
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
        return line.size() > blank + ending.size() && line.ends_with(ending);
    });
}

core::Result<RequestHead> read_head(std::string_view head) {
    const auto line = head.substr(0, head.find('\n'));
    if (!is_request_line(line))
        return core::Error{"malformed request line"};
    RequestHead result;
    const auto blank = line.find(' ');
    result.method = line.substr(0, blank);
    result.target = line.substr(blank + 1, line.rfind(' ') - blank - 1);
    result.is_http_1_0 = line.ends_with(endings[0]);

    // The first line was read here, because what may stand in it is more than HTTP allows.
    http::request_parser<http::empty_body> parser;
    parser.header_limit(std::numeric_limits<std::uint32_t>::max());
    parser.skip(true);
    const std::string text = "GET / HTTP/1.1" + std::string{head.substr(line.size() - 1)};
    boost::beast::error_code error;
    parser.put(boost::asio::buffer(text), error);
    if (error || !parser.is_header_done())
        return core::Error{"malformed headers"};
    const auto& fields = parser.get();
    if (const auto fault = net::check_framing(fields))
        return *fault;
    const auto value = [&](http::field name) -> std::optional<std::string> {
        const auto found = fields.find(name);
        if (found == fields.end())
            return std::nullopt;
        return std::string{found->value()};
    };
    result.source.host = value(http::field::host);
    result.source.origin = value(http::field::origin);
    result.source.referer = value(http::field::referer).value_or("");
    const auto has = [&](boost::beast::string_view name) { return fields.count(name) > 0; };
    const auto site = fields["Sec-Fetch-Site"];
    result.source.fetch_site = core::lowercase({site.data(), site.size()});
    // Old browsers send only their name, which begins with this word in all of them.
    result.is_from_browser = has("Origin") || has("Referer") || has("Sec-Fetch-Site")
                          || fields[http::field::user_agent].starts_with("Mozilla");
    result.is_forwarded = has("Forwarded") || has("X-Forwarded-For") || has("Via");
    return result;
}

std::string write_response(const ResponseText& response) {
    http::response<http::string_body> message;
    message.version(response.is_http_1_0 ? 10 : 11);
    message.result(static_cast<unsigned>(response.status));
    message.set(http::field::date, net::http_date());
    message.set(http::field::content_type, "text/plain");
    const std::string body = response.body + "\r\n";
    message.set(http::field::content_length, std::to_string(body.size()));
    message.set(http::field::connection, "close");
    message.set(http::field::cache_control, "no-store");
    message.set("X-Content-Type-Options", "nosniff");
    if (response.status == 405)
        message.set(http::field::allow, "GET, HEAD");
    if (!response.without_body)
        message.body() = body;
    std::ostringstream text;
    text << message;
    return text.str();
}

}  // namespace uci::chenserver
