#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/store/store_config.hpp"

namespace uci::server::queue {

/// Reads redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]. User and password may have %XX in the place of
/// characters. Error: what is wrong with it; never quotes a password.
core::Result<store::RedisAddress> read_redis_url(std::string_view url);

/// "HOST:PORT", for messages.
std::string name_of(const store::RedisAddress& address);

}  // namespace uci::server::queue
