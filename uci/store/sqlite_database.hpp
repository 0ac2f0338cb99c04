#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/result.hpp"

struct sqlite3;

namespace uci::store {

struct CloseDatabase {
    void operator()(sqlite3* database) const;
};
using SqliteDatabase = std::unique_ptr<sqlite3, CloseDatabase>;

/// A file of SQLite's, made when it is not there, on which some commands have been carried out; or
/// why there is none. For one thread at a time.
std::pair<SqliteDatabase, std::optional<core::Error>> open_sqlite(const std::string& path,
                                                                  const char* commands);

}  // namespace uci::store
