#include "uci/net/http.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <limits>
#include <sstream>

#include <fmt/chrono.h>

namespace uci::net {

namespace {

namespace http = boost::beast::http;

constexpr std::array<std::string_view, 9> methods{"GET",   "HEAD",    "POST",  "PUT",    "DELETE",
                                                  "PATCH", "OPTIONS", "TRACE", "CONNECT"};
constexpr std::array<std::string_view, 2> endings{" HTTP/1.0\r", " HTTP/1.1\r"};

std::optional<int> hexadecimal(char letter) {
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    if (letter >= 'a' && letter <= 'f')
        return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F')
        return letter - 'A' + 10;
    return std::nullopt;
}

std::string lowered(std::string_view text) {
    std::string result{text};
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    }
    return result;
}

/// A host without its port.
std::string name_of(std::string_view host) {
    const auto bracket = host.rfind(']');
    const auto colon = host.rfind(':');
    if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket))
        host = host.substr(0, colon);
    return lowered(host);
}

/// Whether a host, without its port, can only be this machine: no name that others give away.
bool is_local(std::string_view name) {
    if (name == "localhost")
        return true;
    if (name.starts_with('[') && name.ends_with(']'))
        name = name.substr(1, name.size() - 2);
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(name, error);
    return !error && address.is_loopback();
}

/// The host and port of an origin: https://name:port.
std::string_view host_of_origin(std::string_view origin) {
    const auto start = origin.find("://");
    return start == std::string_view::npos ? origin : origin.substr(start + 3);
}

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
        return core::Error{"this is no line that a request begins with"};
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
        return core::Error{"the headers are not those of HTTP"};
    const auto& fields = parser.get();
    const auto value = [&](http::field name) -> std::optional<std::string> {
        const auto found = fields.find(name);
        if (found == fields.end())
            return std::nullopt;
        return std::string{found->value()};
    };
    result.host = value(http::field::host);
    result.origin = value(http::field::origin);
    const auto site = fields.find("Sec-Fetch-Site");
    if (site != fields.end())
        result.fetch_site = lowered({site->value().data(), site->value().size()});
    return result;
}

std::optional<std::string> command_of(std::string_view target) {
    if (target.starts_with('/'))
        target.remove_prefix(1);
    std::string command;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const char letter = target[i];
        const auto code = static_cast<unsigned char>(letter);
        if (code <= ' ' || code >= 0x80)
            return std::nullopt;
        if (letter != '%') {
            command += letter == '+' ? ' ' : letter;
            continue;
        }
        if (i + 2 >= target.size())
            return std::nullopt;
        const auto high = hexadecimal(target[i + 1]);
        const auto low = hexadecimal(target[i + 2]);
        if (!high || !low)
            return std::nullopt;
        command += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return command;
}

bool is_trusted(const RequestHead& head, bool local_only) {
    if (head.fetch_site == "cross-site")
        return false;
    if (head.origin && lowered(host_of_origin(*head.origin)) != lowered(head.host.value_or("")))
        return false;
    return !local_only || !head.host || is_local(name_of(*head.host));
}

std::string http_date() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now));
}

std::string write_response(const ResponseText& response) {
    http::response<http::string_body> message;
    message.version(response.is_http_1_0 ? 10 : 11);
    message.result(static_cast<unsigned>(response.status));
    message.set(http::field::date, http_date());
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

}  // namespace uci::net
