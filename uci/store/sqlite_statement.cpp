#include "uci/store/sqlite_statement.hpp"

#include <sqlite3.h>

namespace uci::store {

SqliteStatement::SqliteStatement(sqlite3* database, std::string_view sql) {
    sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()),
                       SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
}

SqliteStatement::~SqliteStatement() {
    sqlite3_finalize(statement_);
}

SqliteStatement::Step SqliteStatement::step() {
    switch (sqlite3_step(statement_)) {
        case SQLITE_ROW: return Step::row;
        case SQLITE_DONE: return Step::done;
        default: return Step::failed;
    }
}

void SqliteStatement::reset() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

std::string SqliteStatement::text(int column) const {
    const auto* bytes = sqlite3_column_text(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes ? std::string{reinterpret_cast<const char*>(bytes), size} : std::string{};
}

std::int64_t SqliteStatement::number(int column) const {
    return sqlite3_column_int64(statement_, column);
}

void SqliteStatement::bind(int parameter, std::int64_t value) {
    sqlite3_bind_int64(statement_, parameter, value);
}

// SQLite does not copy the text: it must live until the next reset.
void SqliteStatement::bind(int parameter, std::string_view value) {
    sqlite3_bind_text64(statement_, parameter, value.data(), value.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
}

}  // namespace uci::store
