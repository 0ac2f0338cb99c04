#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace uci::store {

/// A prepared command of SQL. Belongs to the thread of its connection, and goes before it.
class SqliteStatement {
public:
    /// What a step came to.
    enum class Step : std::uint8_t { row, done, failed };

    SqliteStatement(sqlite3* database, std::string_view sql);
    ~SqliteStatement();
    SqliteStatement(const SqliteStatement&) = delete;
    SqliteStatement& operator=(const SqliteStatement&) = delete;
    SqliteStatement(SqliteStatement&&) = delete;
    SqliteStatement& operator=(SqliteStatement&&) = delete;

    /// Whether the command is understood.
    bool is_valid() const { return statement_ != nullptr; }

    /// Begins anew with these values for its parameters.
    template <typename... Values>
    SqliteStatement& with(const Values&... values) {
        reset();
        int place = 0;
        (bind(++place, values), ...);
        return *this;
    }
    Step step();
    /// Lets go of the row, and of what it holds locked.
    void reset();

    /// A column of the row.
    std::string text(int column) const;
    std::int64_t number(int column) const;

private:
    void bind(int place, std::int64_t value);
    void bind(int place, std::string_view value);

    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace uci::store
