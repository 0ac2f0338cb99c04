#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/store/store_config.hpp"

namespace uci::server::queue {

/// Reads redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], or the same with rediss for TLS, which
/// may end in ?ca=FILE&cert=FILE&key=FILE. User, password and files may have %XX in the place of
/// characters. Error: what is wrong with it; never quotes a password. The files are not looked at.
core::Result<store::RedisAddress> read_redis_url(std::string_view url);

/// Error: why this program cannot use the URL of a queue. Reads the files that it names.
std::optional<core::Error> check_redis_url(std::string_view url);

/// "HOST:PORT", for messages.
std::string name_of(const store::RedisAddress& address);

}  // namespace uci::server::queue
