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

/// Opens a SQLite file, creating it if needed, and runs some commands; or returns why that failed.
/// The connection is for one thread at a time.
std::pair<SqliteDatabase, std::optional<core::Error>> open_sqlite(const std::string& path,
                                                                  const char* commands);

}  // namespace uci::store
