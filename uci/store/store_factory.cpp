#include "uci/store/store_factory.hpp"

#include <utility>

#if defined(PARLEY_SQLITE)
#include "uci/store/sqlite_store.hpp"
#endif
#if defined(PARLEY_REDIS)
#include "uci/store/redis_store.hpp"
#endif

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using Opened = Result<std::unique_ptr<Store>>;

constexpr const char* redis_option = "redis";

Opened open_sqlite_store([[maybe_unused]] const SqliteConfig& config) {
#if defined(PARLEY_SQLITE)
    auto store = std::make_unique<SqliteStore>(config);
    if (const auto error = store->open())
        return *error;
    return std::unique_ptr<Store>{std::move(store)};
#else
    return Error{"this Parley was built without SQLite; set REDIS_HOST, or build it with SQLite"};
#endif
}

Opened open_redis_store([[maybe_unused]] const RedisConfig& config) {
#if defined(PARLEY_REDIS)
    return std::unique_ptr<Store>{std::make_unique<RedisStore>(config)};
#else
    return Error{"this Parley was built without Redis; build it with hiredis, or use a file"};
#endif
}

}  // namespace

StoreConfig resolve(const std::string& option, StoreConfig config) {
    if (option.empty())
        return config;
    config.backend = option == redis_option ? Backend::redis : Backend::sqlite;
    if (config.backend == Backend::sqlite)
        config.sqlite.path = option;
    return config;
}

std::string describe(const StoreConfig& config) {
    if (config.backend == Backend::sqlite)
        return config.sqlite.path;
    const auto& address = config.redis.address;
    return "Redis at " + address.host + " port " + std::to_string(address.port);
}

Opened open(const StoreConfig& config) {
    return config.backend == Backend::redis ? open_redis_store(config.redis)
                                            : open_sqlite_store(config.sqlite);
}

}  // namespace uci::store
