#include "uci/store/sqlite_store.hpp"

#include <sqlite3.h>
#include <utility>

#include "uci/chezz/limits.hpp"
#include "uci/store/sqlite_checkpoints.hpp"
#include "uci/store/sqlite_statement.hpp"

namespace uci::store {

namespace {

using chezz::GameId;
using chezz::Limits;
using core::Error;
using core::Result;
using Step = SqliteStatement::Step;

constexpr std::int64_t cleared_at_once = 100;

// A commit writes to the log and does not wait for the disk (synchronous=NORMAL): what a process
// has written survives the process. Waiting would only help when the machine loses its power, and
// would let a thousand players wait for the disk a thousand times a second. What does wait is
// copying the log into the file, which another thread does all the time; only when the log has
// 64 MB does a writer stop to copy the rest and to begin it anew.
//
// The hour until which something is kept is its expiry, so that a move within the same hour
// leaves the index alone.
constexpr const char* preparation = R"(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 16384;
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS games_until ON games (until);
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_until ON sessions (until);
)";

}  // namespace

/// An open file and the commands that it is used with.
class SqliteStore::Connection {
public:
    Connection(const std::string& path, SqliteDatabase opened)
        : checkpoints{path},
          database{std::move(opened)},
          games{count("SELECT count(*) FROM games")},
          sessions{count("SELECT count(*) FROM sessions")} {}

    bool is_valid() const {
        return find_game.is_valid() && add_game.is_valid() && replace_game.is_valid()
            && find_session.is_valid() && add_session.is_valid() && renew_session.is_valid()
            && clear_games.is_valid() && clear_sessions.is_valid() && drop_game.is_valid()
            && drop_session.is_valid();
    }
    /// Whether the file has been taken away: what is written then is lost.
    bool has_lost_file() const {
        int moved = 0;
        sqlite3_file_control(database.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
        return moved != 0;
    }
    int changes() const { return sqlite3_changes(database.get()); }

    // False when the file does not allow it.
    bool drop_oldest_game() { return remove(drop_game.with(), games); }
    bool drop_oldest_session() { return remove(drop_session.with(), sessions); }
    bool clear_expired(std::int64_t now) {
        return remove(clear_games.with(now, cleared_at_once), games)
            && remove(clear_sessions.with(now, cleared_at_once), sessions);
    }

    SqliteCheckpoints checkpoints;
    SqliteDatabase database;
    SqliteStatement find_game{database.get(),
                              "SELECT record FROM games WHERE id = ?1 AND until > ?2"};
    SqliteStatement add_game{database.get(),
                             "INSERT INTO games VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"};
    SqliteStatement replace_game{database.get(),
                                 "UPDATE games SET record = ?3, until = ?4"
                                 " WHERE id = ?1 AND record = ?2"};
    SqliteStatement find_session{database.get(),
                                 "SELECT record, until FROM sessions WHERE id = ?1 AND until > ?2"};
    SqliteStatement add_session{database.get(),
                                "INSERT INTO sessions VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"};
    SqliteStatement renew_session{database.get(), "UPDATE sessions SET until = ?2 WHERE id = ?1"};
    SqliteStatement clear_games{
        database.get(),
        "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE until <= ?1 LIMIT ?2)"};
    SqliteStatement clear_sessions{
        database.get(),
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE until <= ?1 LIMIT ?2)"};
    SqliteStatement drop_game{
        database.get(),
        "DELETE FROM games WHERE id IN (SELECT id FROM games ORDER BY until LIMIT 1)"};
    SqliteStatement drop_session{
        database.get(),
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY until LIMIT 1)"};
    std::int64_t games;
    std::int64_t sessions;

private:
    bool remove(SqliteStatement& deletion, std::int64_t& left) {
        if (deletion.step() == Step::failed)
            return false;
        deletion.reset();
        left -= changes();
        return true;
    }
    std::int64_t count(std::string_view sql) {
        SqliteStatement statement{database.get(), sql};
        return statement.is_valid() && statement.step() == Step::row ? statement.number(0) : 0;
    }
};

SqliteStore::SqliteStore(std::string path, Clock clock, Capacity capacity)
    : path_{std::move(path)},
      clock_{std::move(clock)},
      capacity_{capacity} {}

SqliteStore::~SqliteStore() = default;

std::optional<Error> SqliteStore::open() {
    auto [database, error] = open_sqlite(path_, preparation);
    if (error)
        return error;
    auto connection = std::make_unique<Connection>(path_, std::move(database));
    if (!connection->is_valid())
        return Error{path_ + ": is not a store of games"};
    connection_ = std::move(connection);
    return std::nullopt;
}

std::optional<Error> SqliteStore::reach() {
    if (connection_ && connection_->has_lost_file())
        connection_.reset();
    return connection_ ? std::nullopt : open();
}

/// What went wrong just now. The file is opened anew before it is used again.
Error SqliteStore::failure() {
    const Error error{path_ + ": " + sqlite3_errmsg(connection_->database.get())};
    connection_.reset();
    return error;
}

/// The hour that is so long from now, rounded up.
std::int64_t SqliteStore::hours(std::chrono::hours from_now) const {
    return std::chrono::ceil<std::chrono::hours>(clock_().time_since_epoch() + from_now).count();
}

Result<std::optional<std::string>> SqliteStore::find_game(GameId id) {
    if (const auto error = reach())
        return *error;
    auto& statement = connection_->find_game.with(number(id), hours(std::chrono::hours{0}) - 1);
    const Step step = statement.step();
    if (step == Step::failed)
        return failure();
    std::optional<std::string> record;
    if (step == Step::row)
        record = statement.text(0);
    statement.reset();
    return record;
}

Result<bool> SqliteStore::add_game(GameId id, const std::string& record) {
    if (const auto error = reach())
        return *error;
    if (connection_->games >= capacity_.games && !connection_->drop_oldest_game())
        return failure();
    auto& statement =
        connection_->add_game.with(number(id), record, hours(Limits::new_game_in_file));
    if (statement.step() == Step::failed)
        return failure();
    statement.reset();
    connection_->games += connection_->changes();
    return connection_->changes() == 1;
}

Result<bool> SqliteStore::replace_game(GameId id,
                                       const std::string& before,
                                       const std::string& after) {
    if (const auto error = reach())
        return *error;
    auto& statement =
        connection_->replace_game.with(number(id), before, after, hours(Limits::game_in_file));
    if (statement.step() == Step::failed)
        return failure();
    statement.reset();
    return connection_->changes() == 1;
}

Result<std::optional<std::string>> SqliteStore::find_session(const std::string& id) {
    if (const auto error = reach())
        return *error;
    auto& statement = connection_->find_session.with(id, hours(std::chrono::hours{0}) - 1);
    const Step step = statement.step();
    if (step == Step::failed)
        return failure();
    std::optional<std::string> record;
    if (step == Step::row)
        record = statement.text(0);
    const bool wants_renewal = record && statement.number(1) < hours(Limits::session);
    statement.reset();
    if (wants_renewal) {
        auto& renewal = connection_->renew_session.with(id, hours(Limits::session));
        if (renewal.step() == Step::failed)
            return failure();
        renewal.reset();
    }
    return record;
}

Result<bool> SqliteStore::add_session(const std::string& id, const std::string& record) {
    if (const auto error = reach())
        return *error;
    if (connection_->sessions >= capacity_.sessions && !connection_->drop_oldest_session())
        return failure();
    auto& statement = connection_->add_session.with(id, record, hours(Limits::new_session_in_file));
    if (statement.step() == Step::failed)
        return failure();
    statement.reset();
    connection_->sessions += connection_->changes();
    return connection_->changes() == 1;
}

void SqliteStore::clear_away() {
    if (reach())
        return;
    connection_->checkpoints.begin();
    const auto now = hours(std::chrono::hours{0}) - 1;
    if (!connection_->clear_expired(now))
        failure();
}

}  // namespace uci::store
