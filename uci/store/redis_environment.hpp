#pragma once

#include <functional>
#include <optional>
#include <string>

#include "uci/store/store_config.hpp"

namespace uci::store {

/// Where Redis is, from the variables REDIS_HOST, REDIS_PORT, REDIS_PREFIX, REDIS_USER,
/// REDIS_PASSWORD and REDIS_DATABASE. Those that are missing, and numbers that are none, leave the
/// default. REDIS_TLS (anything but 0, no, off or false) asks for TLS, and so does each of its
/// files: REDIS_TLS_CA, REDIS_TLS_CERT and REDIS_TLS_KEY.
RedisAddress read_redis_address(
    const std::function<std::optional<std::string>(const std::string& name)>& lookup);

}  // namespace uci::store
