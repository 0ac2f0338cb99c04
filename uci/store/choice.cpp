#include "uci/store/choice.hpp"

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

constexpr const char* usual_file = "chezz.sqlite";
constexpr const char* redis_word = "redis";

Opened open_file([[maybe_unused]] const std::string& file) {
#if defined(PARLEY_SQLITE)
    auto store = std::make_unique<SqliteStore>(file);
    if (const auto error = store->open())
        return *error;
    return std::unique_ptr<Store>{std::move(store)};
#else
    return Error{"this Parley was built without SQLite; set REDIS_HOST, or build it with SQLite"};
#endif
}

Opened open_redis([[maybe_unused]] const chezz::RedisPlace& place,
                  [[maybe_unused]] const std::string& own_name) {
#if defined(PARLEY_REDIS)
    return std::unique_ptr<Store>{std::make_unique<RedisStore>(place, own_name)};
#else
    return Error{"this Parley was built without Redis; build it with hiredis, or use a file"};
#endif
}

}  // namespace

Choice choose(const std::string& text, const chezz::Settings& settings) {
    if (text == redis_word || (text.empty() && settings.redis))
        return {{}, settings.redis.value_or(chezz::RedisPlace{})};
    return {text.empty() ? usual_file : text, std::nullopt};
}

std::string description(const Choice& choice) {
    if (!choice.redis)
        return choice.file;
    return "Redis at " + choice.redis->host + " port " + std::to_string(choice.redis->port);
}

Opened open(const Choice& choice, const std::string& own_name) {
    return choice.redis ? open_redis(*choice.redis, own_name) : open_file(choice.file);
}

}  // namespace uci::store
