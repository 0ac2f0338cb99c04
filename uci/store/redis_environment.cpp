#include "uci/store/redis_environment.hpp"

#include "core/text.hpp"

namespace uci::store {

namespace {

constexpr int max_port = 65'535;
constexpr int max_database = 1'000'000;

}  // namespace

RedisAddress read_redis_address(
    const std::function<std::optional<std::string>(const std::string& name)>& lookup) {
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
    return address;
}

}  // namespace uci::store
