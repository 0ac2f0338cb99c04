#include "uci/store/redis_environment.hpp"

#include "core/text.hpp"

namespace uci::store {

namespace {

constexpr int max_port = 65'535;
constexpr int max_database = 1'000'000;

using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

/// Whether REDIS_TLS or a file for TLS is named. What is no clear "no" means TLS: a typing error
/// must not send games in the clear.
bool wants_tls(const Lookup& lookup, const TlsSettings& files) {
    const auto wanted = core::lowercase(lookup("REDIS_TLS").value_or(""));
    if (wanted.empty())
        return !files.ca_file.empty() || !files.certificate_file.empty() || !files.key_file.empty();
    return wanted != "0" && wanted != "no" && wanted != "off" && wanted != "false";
}

}  // namespace

RedisAddress read_redis_address(const Lookup& lookup) {
    RedisAddress address;
    const auto host = lookup("REDIS_HOST");
    if (host && !host->empty())
        address.host = *host;
    const auto port = core::read_integer(lookup("REDIS_PORT").value_or(""));
    if (port && *port > 0 && *port <= max_port)
        address.port = static_cast<int>(*port);
    address.prefix = lookup("REDIS_PREFIX").value_or("");
    address.user = lookup("REDIS_USER").value_or("");
    address.password = lookup("REDIS_PASSWORD").value_or("");
    const auto database = core::read_integer(lookup("REDIS_DATABASE").value_or(""));
    if (database && *database >= 0 && *database <= max_database)
        address.database = static_cast<int>(*database);
    const TlsSettings files{.ca_file = lookup("REDIS_TLS_CA").value_or(""),
                            .certificate_file = lookup("REDIS_TLS_CERT").value_or(""),
                            .key_file = lookup("REDIS_TLS_KEY").value_or("")};
    if (wants_tls(lookup, files))
        address.tls = files;
    return address;
}

}  // namespace uci::store
