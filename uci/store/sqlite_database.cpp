#include "uci/store/sqlite_database.hpp"

#include <sqlite3.h>

namespace uci::store {

namespace {

constexpr int busy_timeout_ms = 2'000;

}  // namespace

void CloseDatabase::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

std::pair<SqliteDatabase, std::optional<core::Error>> open_sqlite(const std::string& path,
                                                                  const char* commands) {
    sqlite3* raw = nullptr;
    int status =
        sqlite3_open_v2(path.c_str(), &raw,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    SqliteDatabase database{raw};
    if (status == SQLITE_OK) {
        sqlite3_busy_timeout(raw, busy_timeout_ms);
        status = sqlite3_exec(raw, commands, nullptr, nullptr, nullptr);
    }
    if (status == SQLITE_OK)
        return {std::move(database), std::nullopt};
    return {nullptr,
            core::Error{path + ": " + (raw ? sqlite3_errmsg(raw) : sqlite3_errstr(status))}};
}

}  // namespace uci::store
