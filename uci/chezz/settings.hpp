#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace uci::chezz {

/// Where Redis is, and what stands before all keys there.
struct RedisPlace {
    std::string host = "localhost";
    int port = 6'379;
    std::string prefix;
};

/// What chezz-back takes from its environment.
struct Settings {
    std::optional<RedisPlace> redis;  ///< when a host is named
    std::string allowed_origin = "http://localhost:5173";
};

/// The variables in the text of a `.env` file: NAME=VALUE on each line, the value perhaps in
/// quotes; lines that are nothing of that kind do not matter.
std::map<std::string, std::string> read_env_file(std::string_view text);

/// The settings that variables mean. REDIS_HOST, REDIS_PORT (6379 when it is no number),
/// REDIS_PREFIX and ALLOWED_DOMAIN.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
Settings read_settings(const Lookup& lookup);

/// The settings of this process: from its environment and from `.env` in the folder it was
/// started in. Where both have a variable, the environment's counts.
Settings settings_here();

}  // namespace uci::chezz
