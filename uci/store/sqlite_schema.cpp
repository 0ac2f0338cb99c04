#include "uci/store/sqlite_schema.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sqlite3.h>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "uci/store/sqlite_statement.hpp"

namespace uci::store {

namespace {

using core::Error;
using core::Result;

/// "PlyG": tells file(1) and other programs whose file this is.
constexpr std::int64_t application_id = 0x506C7947;
/// The version of the tables. Version 1 had no documents. A later one adds a step that changes the
/// tables of the version before.
constexpr std::int64_t schema_version = 2;

// Column `until` is the expiry in hours since 1970, so that moves within the same hour do not
// touch the index.
constexpr const char* create_tables = R"(
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS games_until ON games (until);
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_until ON sessions (until);
    CREATE TABLE IF NOT EXISTS documents (
        id TEXT PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS documents_until ON documents (until);
)";

/// How Parley made its tables before it marked its files, in this order: a program that was killed
/// meanwhile may have left only the first ones.
constexpr std::array unmarked_schema{
    "CREATE TABLE games (id INTEGER PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL)",
    "CREATE INDEX games_until ON games (until)",
    "CREATE TABLE sessions (id TEXT PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL)"
    " WITHOUT ROWID",
    "CREATE INDEX sessions_until ON sessions (until)"};
/// All that a file has, in that form and without white space.
constexpr const char* list_schema =
    "SELECT coalesce(group_concat(line, ';'), '') FROM"
    " (SELECT replace(replace(sql, ' ', ''), char(10), '') AS line FROM sqlite_master"
    " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY line)";

/// All tables, each with its columns.
constexpr const char* list_tables =
    "SELECT coalesce(group_concat(line, ' '), '') FROM (SELECT t.name || '(' || (SELECT "
    "group_concat(name || ':' || type, ',') FROM pragma_table_info(t.name)) || ')' AS line"
    " FROM sqlite_master AS t WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name)";
constexpr const char* tables_of_version_1 =
    "games(id:INTEGER,record:TEXT,until:INTEGER) sessions(id:TEXT,record:TEXT,until:INTEGER)";
constexpr const char* own_tables =
    "documents(id:TEXT,record:TEXT,until:INTEGER) games(id:INTEGER,record:TEXT,until:INTEGER)"
    " sessions(id:TEXT,record:TEXT,until:INTEGER)";

Result<std::string> query(sqlite3* database, const char* sql) {
    SqliteStatement statement{database, sql};
    if (!statement.is_valid() || statement.step() != SqliteStatement::Step::row)
        return Error{sqlite3_errmsg(database)};
    return statement.text(0);
}

std::optional<Error> execute(sqlite3* database, const std::string& sql) {
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK)
        return std::nullopt;
    return Error{sqlite3_errmsg(database)};
}

/// Whether a file without a mark has exactly what Parley made then.
bool is_unmarked_store(const std::string& schema) {
    std::vector<std::string> lines;
    for (std::string line : unmarked_schema) {
        std::erase(line, ' ');
        lines.push_back(line);
        std::sort(lines.begin(), lines.end());
        if (schema == fmt::format("{}", fmt::join(lines, ";")))
            return true;
    }
    return false;
}

/// Whether the tables and the mark are still to be made. Error: the file is not ours.
Result<bool> must_be_prepared(sqlite3* database) {
    const auto application = query(database, "PRAGMA application_id");
    const auto version = query(database, "PRAGMA user_version");
    const auto tables = query(database, list_tables);
    const auto schema = query(database, list_schema);
    for (const auto* result : {&application, &version, &tables, &schema}) {
        if (!*result)
            return result->error();
    }
    if (*application == "0" && *version == "0" && (schema->empty() || is_unmarked_store(*schema)))
        return true;
    if (*application != std::to_string(application_id))
        return Error{"this is a database of another program, not a store of games"};
    if (*version == "1" && *tables == tables_of_version_1)
        return true;
    if (*version == "1")
        return Error{"the tables are not those of a store of games"};
    if (*version != std::to_string(schema_version))
        return Error{
            fmt::format("this store has version {}, but this Parley reads only versions up to {}",
                        *version, schema_version)};
    if (*tables != own_tables)
        return Error{"the tables are not those of a store of games"};
    return false;
}

/// Whether the tables are still to be made, as all of one moment: another process may be making
/// them. `begin` begins the transaction, which stays open if they are.
Result<bool> begin_to_prepare(sqlite3* database, const char* begin) {
    if (const auto error = execute(database, begin))
        return *error;
    auto prepare = must_be_prepared(database);
    if (!prepare || !*prepare)
        static_cast<void>(execute(database, "ROLLBACK"));
    return prepare;
}

/// Makes the tables and the mark, unless another process has made them meanwhile.
std::optional<Error> make_tables(sqlite3* database) {
    const auto prepare = begin_to_prepare(database, "BEGIN IMMEDIATE");
    if (!prepare)
        return prepare.error();
    if (!*prepare)
        return std::nullopt;
    auto error = execute(database, fmt::format("{}; PRAGMA application_id = {}; "
                                               "PRAGMA user_version = {}; COMMIT",
                                               create_tables, application_id, schema_version));
    if (error)
        static_cast<void>(execute(database, "ROLLBACK"));
    return error;
}

}  // namespace

// The lock for writing is taken only if something is to be made: another process may have it for
// long.
std::optional<Error> prepare_schema(sqlite3* database, const std::string& path) {
    const auto prepare = begin_to_prepare(database, "BEGIN");
    std::optional<Error> error;
    if (!prepare) {
        error = prepare.error();
    }
    else if (*prepare) {
        static_cast<void>(execute(database, "ROLLBACK"));
        error = make_tables(database);
    }
    return error ? std::optional{Error{path + ": " + error->reason}} : std::nullopt;
}

std::optional<Error> write_version(sqlite3* database) {
    return execute(database, fmt::format("PRAGMA user_version = {}", schema_version));
}

}  // namespace uci::store
