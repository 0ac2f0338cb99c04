#include "uci/server/queue/redis_url.hpp"

#include <algorithm>
#include <optional>

#include "core/text.hpp"

namespace uci::server::queue {

namespace {

using core::Error;

constexpr int max_port = 65'535;
constexpr int max_database = 1'000'000;

std::optional<int> value_of(char digit) {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    const char letter = core::lowercase(digit);
    return letter >= 'a' && letter <= 'f' ? std::optional{letter - 'a' + 10} : std::nullopt;
}

/// Replaces %XX by the byte; nothing if there are no two digits behind a %.
std::optional<std::string> decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? value_of(text[i + 1]) : std::nullopt;
        const auto low = i + 2 < text.size() ? value_of(text[i + 2]) : std::nullopt;
        if (!high || !low)
            return std::nullopt;
        result += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return result;
}

/// Reads "[USER]:PASSWORD".
std::optional<Error> read_login(std::string_view text, store::RedisAddress& address) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return Error{"a user needs a password: redis://USER:PASSWORD@HOST"};
    const auto user = decoded(text.substr(0, colon));
    const auto password = decoded(text.substr(colon + 1));
    if (!user || !password)
        return Error{"user or password have a % without two hexadecimal digits"};
    if (password->empty())
        return Error{"the password is empty"};
    address.user = *user;
    address.password = *password;
    return std::nullopt;
}

std::optional<Error> read_number(std::string_view text,
                                 std::string_view name,
                                 int least,
                                 int most,
                                 int& number) {
    const auto value = core::read_integer(text);
    if (!value || *value < least || *value > most)
        return Error{std::string{name} + " must be from " + std::to_string(least) + " to "
                     + std::to_string(most)};
    number = static_cast<int>(*value);
    return std::nullopt;
}

/// Reads "HOST[:PORT]", where an IPv6 address stands in brackets.
std::optional<Error> read_endpoint(std::string_view text, store::RedisAddress& address) {
    std::string_view port;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos)
            return Error{"a ] is missing"};
        address.host = text.substr(1, end - 1);
        port = text.substr(end + 1);
    }
    else {
        const auto colon = std::min(text.find(':'), text.size());
        address.host = text.substr(0, colon);
        port = text.substr(colon);
    }
    if (address.host.empty())
        return Error{"the host is missing"};
    if (port.empty())
        return std::nullopt;
    if (port.front() != ':')
        return Error{"only a port can follow the host"};
    return read_number(port.substr(1), "the port", 1, max_port, address.port);
}

}  // namespace

core::Result<store::RedisAddress> read_redis_url(std::string_view url) {
    constexpr std::string_view scheme = "redis://";
    if (url.starts_with("rediss://"))
        return Error{
            "this build has no TLS for Redis; uci/server/queue/README.md tells how to use stunnel"};
    if (!url.starts_with(scheme))
        return Error{"must begin with redis://"};
    auto rest = url.substr(scheme.size());
    store::RedisAddress address;
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        if (const auto error = read_login(rest.substr(0, at), address))
            return *error;
        rest = rest.substr(at + 1);
    }
    const auto slash = std::min(rest.find('/'), rest.size());
    if (const auto error = read_endpoint(rest.substr(0, slash), address))
        return *error;
    const auto database = rest.substr(std::min(slash + 1, rest.size()));
    if (!database.empty()) {
        if (const auto error =
                read_number(database, "the database", 0, max_database, address.database))
            return *error;
    }
    return address;
}

std::string name_of(const store::RedisAddress& address) {
    return address.host + ":" + std::to_string(address.port);
}

}  // namespace uci::server::queue
