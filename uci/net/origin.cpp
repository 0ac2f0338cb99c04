#include "uci/net/origin.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci::net {

namespace {

constexpr int max_port = 65'535;

int default_port(std::string_view scheme) {
    constexpr int http_port = 80;
    constexpr int https_port = 443;
    return scheme == "https" ? https_port : http_port;
}

/// Whether a text can be a host name or an address. Letters beyond ASCII have their Punycode form
/// in an origin.
bool is_host(std::string_view name) {
    const bool is_bracketed = name.starts_with('[') && name.ends_with(']');
    const auto inner = is_bracketed ? name.substr(1, name.size() - 2) : name;
    return !inner.empty() && std::all_of(inner.begin(), inner.end(), [&](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '.'
            || letter == '-' || letter == '_' || (is_bracketed && letter == ':');
    });
}

}  // namespace

core::Result<Origin> read_origin(std::string_view text) {
    const core::Error error{core::quoted(text) + " is not an origin such as https://chess.example"};
    const std::string lower = core::lowercase(text);
    const auto colon = lower.find("://");
    if (colon == std::string::npos)
        return error;
    Origin origin;
    origin.scheme = lower.substr(0, colon);
    origin.name = lower.substr(colon + 3);
    if (origin.scheme != "http" && origin.scheme != "https")
        return error;
    if (origin.name.ends_with('/'))
        origin.name.pop_back();
    origin.port = default_port(origin.scheme);
    const auto port_colon = origin.name.rfind(':');
    if (port_colon != std::string::npos && origin.name.find(']', port_colon) == std::string::npos) {
        const auto port = core::read_integer(origin.name.substr(port_colon + 1));
        if (!port || *port < 1 || *port > max_port)
            return error;
        origin.port = static_cast<int>(*port);
        origin.name.resize(port_colon);
    }
    if (!is_host(origin.name))
        return error;
    return origin;
}

std::optional<core::Error> check_origin(const std::string& text) {
    const auto origin = read_origin(text);
    return origin ? std::nullopt : std::optional{origin.error()};
}

std::vector<Origin> read_origins(const std::vector<std::string>& texts) {
    std::vector<Origin> origins;
    for (const auto& text : texts) {
        if (const auto origin = read_origin(text))
            origins.push_back(*origin);
    }
    return origins;
}

std::string to_string(const Origin& origin) {
    if (origin.port == default_port(origin.scheme))
        return fmt::format("{}://{}", origin.scheme, origin.name);
    return fmt::format("{}://{}:{}", origin.scheme, origin.name, origin.port);
}

}  // namespace uci::net
