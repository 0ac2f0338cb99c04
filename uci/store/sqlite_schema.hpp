#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

struct sqlite3;

namespace uci::store {

/// Makes an opened file a store's: creates the tables in an empty one, adds what is missing to one
/// of an older Parley, which may not have marked its files yet, and leaves one of this version as
/// it is. Error, and the file is unchanged: it is of another program or a newer version, or SQLite
/// cannot use it.
std::optional<core::Error> prepare_schema(sqlite3* database, const std::string& path);

/// Writes the version of a prepared file again: a write that changes nothing. Error: why SQLite
/// cannot write.
std::optional<core::Error> write_version(sqlite3* database);

}  // namespace uci::store
