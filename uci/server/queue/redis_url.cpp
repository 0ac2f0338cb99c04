#include "uci/server/queue/redis_url.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/text.hpp"

#include "uci/store/redis_tls.hpp"

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

/// Takes the text before a separator, or all of it, and the separator away from the front.
std::string_view take_until(std::string_view& text, char separator) {
    const auto end = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
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

/// Reads "ca=FILE&cert=FILE&key=FILE", each of which may be missing.
std::optional<Error> read_files(std::string_view text, store::TlsSettings& files) {
    while (!text.empty()) {
        auto value = take_until(text, '&');
        const auto name = take_until(value, '=');
        auto file = decoded(value);
        if (!file)
            return Error{"a file has a % without two hexadecimal digits"};
        if (file->empty())
            return Error{"a file is missing: ?ca=FILE&cert=FILE&key=FILE"};
        if (name == "ca")
            files.ca_file = std::move(*file);
        else if (name == "cert")
            files.certificate_file = std::move(*file);
        else if (name == "key")
            files.key_file = std::move(*file);
        else
            return Error{"only ca=FILE, cert=FILE and key=FILE can follow the ?"};
    }
    return std::nullopt;
}

}  // namespace

core::Result<store::RedisAddress> read_redis_url(std::string_view url) {
    constexpr std::string_view scheme = "redis://";
    constexpr std::string_view tls_scheme = "rediss://";
    const bool has_tls = url.starts_with(tls_scheme);
    if (!has_tls && !url.starts_with(scheme))
        return Error{"must begin with redis:// or rediss://"};
    auto rest = url.substr(has_tls ? tls_scheme.size() : scheme.size());
    store::RedisAddress address;
    if (has_tls) {
        auto files = rest;
        rest = take_until(files, '?');
        if (const auto error = read_files(files, address.tls.emplace()))
            return *error;
    }
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

std::optional<Error> check_redis_url(std::string_view url) {
    const auto address = read_redis_url(url);
    if (!address)
        return address.error();
    return address->tls ? store::check_tls(*address->tls) : std::nullopt;
}

std::string name_of(const store::RedisAddress& address) {
    return address.host + ":" + std::to_string(address.port);
}

}  // namespace uci::server::queue
