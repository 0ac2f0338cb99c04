#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "uci/store/store_config.hpp"

namespace uci::chezz {

/// The settings from the environment, with the names that chezz-back gives them.
struct Settings {
    store::Backend backend = store::Backend::sqlite;  ///< redis if REDIS_HOST is set
    store::RedisAddress redis;
    std::string allowed_origin = "http://localhost:5173";  ///< ALLOWED_DOMAIN
};

/// Reads the text of a `.env` file: NAME=VALUE on each line, the value with or without quotes.
/// Ignores all other lines.
std::map<std::string, std::string> read_env_file(std::string_view text);

/// The value of an environment variable, if it is set.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
/// Reads REDIS_HOST, REDIS_PORT (6379 if it is not a port number), REDIS_PREFIX, REDIS_USER,
/// REDIS_PASSWORD, REDIS_DATABASE (0 if it is not a number), REDIS_TLS with its files, and
/// ALLOWED_DOMAIN.
Settings read_settings(const Lookup& lookup);

/// Reads the settings of this process from its environment and from `.env` in the current folder.
/// The environment comes first.
Settings settings_from_environment();

/// The stores that these settings choose, with chezz-back's layout of Redis. `sender` is the name
/// of this process in Redis.
store::StoreConfig store_config(const Settings& settings, std::string sender);

}  // namespace uci::chezz
