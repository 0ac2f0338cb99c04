#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"

#include "uci/store/store.hpp"
#include "uci/store/store_config.hpp"

namespace uci::store {

/// Whether the program can keep records in a file, and in Redis.
bool has_sqlite();
bool has_redis();

/// The values of the option that names a store, for the help: "FILE|redis|memory".
std::string option_values();
/// The description of that option for the help; `otherwise` says where games are without it.
std::string option_help(const std::string& otherwise);

/// Applies the option that names a store: "redis", "memory", or the path of a SQLite file. An empty
/// option changes nothing, but without SQLite memory stands for its file.
StoreConfig resolve(const std::string& option, StoreConfig config);

/// For the log, such as "games.sqlite" or "Redis at localhost port 6379".
std::string describe(const StoreConfig& config);

/// Opens the store. Error: the program was built without it, or the file cannot be used. Redis is
/// not contacted yet: it may start later.
core::Result<std::unique_ptr<Store>> open(const StoreConfig& config);

}  // namespace uci::store
