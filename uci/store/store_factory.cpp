#include "uci/store/store_factory.hpp"

#include <utility>

#include "uci/store/memory_store.hpp"

#if defined(PARLEY_SQLITE)
#include "uci/store/sqlite_store.hpp"
#endif
#if defined(PARLEY_REDIS)
#include "uci/store/redis_store.hpp"
#include "uci/store/redis_tls.hpp"
#endif

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using Opened = Result<std::unique_ptr<Store>>;

constexpr const char* redis_option = "redis";
constexpr const char* memory_option = "memory";

Opened open_sqlite_store([[maybe_unused]] const SqliteConfig& config) {
#if defined(PARLEY_SQLITE)
    auto store = std::make_unique<SqliteStore>(config);
    if (const auto error = store->open())
        return *error;
    return std::unique_ptr<Store>{std::move(store)};
#else
    return Error{
        "this Parley was built without SQLite and cannot keep games in a file; "
        "use --store memory, which forgets them when it ends"};
#endif
}

Opened open_redis_store([[maybe_unused]] const RedisConfig& config) {
#if defined(PARLEY_REDIS)
    const auto& tls = config.address.tls;
    if (const auto error = tls ? check_tls(*tls) : std::nullopt)
        return *error;
    return std::unique_ptr<Store>{std::make_unique<RedisStore>(config)};
#else
    return Error{
        "this Parley was built without Redis; build it with hiredis, or use "
        "another --store"};
#endif
}

}  // namespace

bool has_sqlite() {
#if defined(PARLEY_SQLITE)
    return true;
#else
    return false;
#endif
}

bool has_redis() {
#if defined(PARLEY_REDIS)
    return true;
#else
    return false;
#endif
}

std::string option_values() {
    return std::string{has_sqlite() ? "FILE|" : ""} + (has_redis() ? "redis|" : "") + "memory";
}

std::string option_help(const std::string& otherwise) {
    std::string text{"Where to keep games: "};
    if (has_sqlite())
        text += "a file, ";
    if (has_redis())
        text += "Redis, ";
    text += "or memory until the server ends. Without it " + otherwise;
    if (!has_sqlite())
        text += ". This program was built without SQLite and cannot use a file";
    return text;
}

StoreConfig resolve(const std::string& option, StoreConfig config) {
    if (option.empty()) {
        if (config.backend == Backend::sqlite && !has_sqlite())
            config.backend = Backend::memory;
    }
    else if (option == redis_option) {
        config.backend = Backend::redis;
    }
    else if (option == memory_option) {
        config.backend = Backend::memory;
    }
    else {
        config.backend = Backend::sqlite;
        config.sqlite.path = option;
    }
    return config;
}

std::string describe(const StoreConfig& config) {
    const auto& address = config.redis.address;
    switch (config.backend) {
        case Backend::sqlite: return config.sqlite.path;
        case Backend::redis:
            return "Redis at " + address.host + " port " + std::to_string(address.port)
                 + (address.tls ? " with TLS" : "");
        case Backend::memory: return "memory until it ends";
    }
    return {};
}

Opened open(const StoreConfig& config) {
    switch (config.backend) {
        case Backend::sqlite: return open_sqlite_store(config.sqlite);
        case Backend::redis: return open_redis_store(config.redis);
        case Backend::memory: break;
    }
    return std::unique_ptr<Store>{std::make_unique<MemoryStore>(config.memory)};
}

}  // namespace uci::store
