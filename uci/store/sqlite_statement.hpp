#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace uci::store {

/// A prepared SQL statement. Belongs to the thread of its connection, and must be destroyed before
/// it.
class SqliteStatement {
public:
    enum class Step : std::uint8_t { row, done, failed };

    SqliteStatement(sqlite3* database, std::string_view sql);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;
    SqliteStatement(SqliteStatement&&) = delete;
    SqliteStatement& operator=(SqliteStatement&&) = delete;

    /// Whether SQLite accepted the SQL.
    bool is_valid() const { return statement_ != nullptr; }

    /// Resets the statement and binds these values to its parameters.
    template <typename... Values>
    SqliteStatement& with(const Values&... values) {
        reset();
        int parameter = 0;
        (bind(++parameter, values), ...);
        return *this;
    }
    Step step();
    /// Releases the row and its locks.
    void reset();

    /// Reads a column of the current row.
    std::string text(int column) const;
    std::int64_t number(int column) const;

private:
    void bind(int parameter, std::int64_t value);
    void bind(int parameter, std::string_view value);

    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace uci::store
