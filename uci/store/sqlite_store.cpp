#include "uci/store/sqlite_store.hpp"

#include <algorithm>
#include <sqlite3.h>
#include <utility>

#include "uci/store/sqlite_schema.hpp"
#include "uci/store/sqlite_statement.hpp"
#include "uci/store/wal_checkpointer.hpp"

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using Step = SqliteStatement::Step;

constexpr std::int64_t max_removed_at_once = 100;
constexpr std::chrono::milliseconds max_wait{2'000};

// With synchronous=FULL a commit waits until the disk has the log. A batch is one commit, so busy
// servers do not wait once for each move. WalCheckpointer copies the log into the file; a writer
// does so itself only when the log reaches 64 MB.
constexpr const char* setup_sql = R"(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = 16384;
)";

}  // namespace

/// An open file and its prepared statements.
class SqliteStore::Connection {
public:
    Connection(const std::string& path, SqliteDatabase opened)
        : checkpointer{path},
          database{std::move(opened)} {
        count_records();
    }

    bool is_valid() const {
        return find_game.is_valid() && add_game.is_valid() && replace_game.is_valid()
            && remove_game.is_valid() && find_session.is_valid() && add_session.is_valid()
            && renew_session.is_valid() && expire_games.is_valid() && expire_sessions.is_valid()
            && evict_first_games.is_valid() && evict_first_sessions.is_valid() && begin.is_valid()
            && find_document.is_valid() && add_document.is_valid() && replace_document.is_valid()
            && remove_document.is_valid() && expire_documents.is_valid()
            && evict_first_documents.is_valid() && count_documents.is_valid() && commit.is_valid()
            && data_version.is_valid() && count_games.is_valid() && count_sessions.is_valid();
    }
    /// Whether the file was moved or deleted, so that writes would be lost.
    bool has_lost_file() const {
        int moved = 0;
        sqlite3_file_control(database.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
        return moved != 0;
    }
    int changes() const { return sqlite3_changes(database.get()); }

    // False: SQLite reports an error.
    /// Makes room for one more game.
    bool evict_games(std::int64_t capacity) {
        return games < capacity
            || remove(evict_first_games.with(count_to_evict(games, capacity)), games);
    }
    bool evict_sessions(std::int64_t capacity) {
        return sessions < capacity
            || remove(evict_first_sessions.with(count_to_evict(sessions, capacity)), sessions);
    }
    bool evict_documents(std::int64_t capacity) {
        return documents < capacity
            || remove(evict_first_documents.with(count_to_evict(documents, capacity)), documents);
    }
    /// Counts the records again if another process has changed the file. Counting a million takes
    /// milliseconds: too long to do it for every new game.
    bool count_records() {
        const auto version = value_of(data_version);
        if (version && version == counted_version)
            return true;
        const auto games_now = value_of(count_games);
        const auto sessions_now = value_of(count_sessions);
        const auto documents_now = value_of(count_documents);
        if (!version || !games_now || !sessions_now || !documents_now)
            return false;
        counted_version = version;
        games = *games_now;
        sessions = *sessions_now;
        documents = *documents_now;
        return true;
    }
    /// Whether the last error is that another process had a lock for too long.
    bool is_locked() const {
        const int code = sqlite3_errcode(database.get());
        return code == SQLITE_BUSY || code == SQLITE_LOCKED;
    }
    void reset_statements() const {
        for (auto* statement = sqlite3_next_stmt(database.get(), nullptr); statement != nullptr;
             statement = sqlite3_next_stmt(database.get(), statement))
            sqlite3_reset(statement);
    }
    bool begin_transaction() { return run(begin); }
    bool commit_transaction() { return run(commit); }
    bool remove_expired(std::int64_t now) {
        return remove(expire_games.with(now, max_removed_at_once), games)
            && remove(expire_sessions.with(now, max_removed_at_once), sessions)
            && remove(expire_documents.with(now, max_removed_at_once), documents);
    }

    WalCheckpointer checkpointer;
    SqliteDatabase database;
    SqliteStatement find_game{database.get(),
                              "SELECT record FROM games WHERE id = ?1 AND until > ?2"};
    SqliteStatement add_game{database.get(),
                             "INSERT INTO games VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"};
    SqliteStatement replace_game{database.get(),
                                 "UPDATE games SET record = ?3, until = ?4"
                                 " WHERE id = ?1 AND record = ?2"};
    SqliteStatement remove_game{database.get(), "DELETE FROM games WHERE id = ?1"};
    SqliteStatement find_session{database.get(),
                                 "SELECT record, until FROM sessions WHERE id = ?1 AND until > ?2"};
    SqliteStatement add_session{database.get(),
                                "INSERT INTO sessions VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"};
    SqliteStatement renew_session{database.get(), "UPDATE sessions SET until = ?2 WHERE id = ?1"};
    SqliteStatement find_document{database.get(),
                                  "SELECT record FROM documents WHERE id = ?1 AND until > ?2"};
    SqliteStatement add_document{
        database.get(), "INSERT INTO documents VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"};
    SqliteStatement replace_document{database.get(),
                                     "UPDATE documents SET record = ?3, until = ?4"
                                     " WHERE id = ?1 AND (record = ?2 OR until <= ?5)"};
    SqliteStatement remove_document{database.get(), "DELETE FROM documents WHERE id = ?1"};
    SqliteStatement expire_games{
        database.get(),
        "DELETE FROM games WHERE id IN (SELECT id FROM games WHERE until <= ?1 LIMIT ?2)"};
    SqliteStatement expire_sessions{
        database.get(),
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE until <= ?1 LIMIT ?2)"};
    SqliteStatement expire_documents{
        database.get(),
        "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE until <= ?1 LIMIT ?2)"};
    SqliteStatement evict_first_games{
        database.get(),
        "DELETE FROM games WHERE id IN (SELECT id FROM games ORDER BY until LIMIT ?1)"};
    SqliteStatement evict_first_sessions{
        database.get(),
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY until LIMIT ?1)"};
    SqliteStatement evict_first_documents{
        database.get(),
        "DELETE FROM documents WHERE id IN (SELECT id FROM documents ORDER BY until LIMIT ?1)"};
    // Immediate: a transaction that began with a read could not write after another process has.
    SqliteStatement begin{database.get(), "BEGIN IMMEDIATE"};
    SqliteStatement commit{database.get(), "COMMIT"};
    /// Differs from the last time if another process has changed the file.
    SqliteStatement data_version{database.get(), "PRAGMA data_version"};
    SqliteStatement count_games{database.get(), "SELECT count(*) FROM games"};
    SqliteStatement count_sessions{database.get(), "SELECT count(*) FROM sessions"};
    SqliteStatement count_documents{database.get(), "SELECT count(*) FROM documents"};
    std::int64_t games = 0;
    std::int64_t sessions = 0;
    std::int64_t documents = 0;
    std::optional<std::int64_t> counted_version;

private:
    static std::int64_t count_to_evict(std::int64_t count, std::int64_t capacity) {
        return std::min(count - capacity + 1, max_removed_at_once);
    }
    static bool run(SqliteStatement& statement) {
        const bool done = statement.step() != Step::failed;
        statement.reset();
        return done;
    }
    bool remove(SqliteStatement& deletion, std::int64_t& left) const {
        if (!run(deletion))
            return false;
        left -= changes();
        return true;
    }
    static std::optional<std::int64_t> value_of(SqliteStatement& query) {
        if (!query.is_valid())
            return std::nullopt;
        std::optional<std::int64_t> value;
        if (query.step() == Step::row)
            value = query.number(0);
        query.reset();
        return value;
    }
};

SqliteStore::SqliteStore(SqliteConfig config, Clock clock)
    : config_{std::move(config)},
      clock_{std::move(clock)} {}

SqliteStore::~SqliteStore() = default;

std::optional<Error> SqliteStore::open() {
    auto [database, error] = open_sqlite(config_.path, "");
    if (error)
        return error;
    limit_wait(database.get());
    // Before anything is written: it may be the file of another program.
    if (auto refused = prepare_schema(database.get(), config_.path))
        return refused;
    if (sqlite3_exec(database.get(), setup_sql, nullptr, nullptr, nullptr) != SQLITE_OK)
        return Error{config_.path + ": " + sqlite3_errmsg(database.get())};
    auto connection = std::make_unique<Connection>(config_.path, std::move(database));
    if (!connection->is_valid())
        return Error{config_.path + ": the tables are not those of a game store"};
    connection_ = std::move(connection);
    return std::nullopt;
}

std::optional<Error> SqliteStore::ensure_open() {
    if (batch_error_)
        return batch_error_;
    if (connection_ && connection_->has_lost_file()) {
        connection_.reset();
        if (in_transaction_)
            return batch_error_ = Error{config_.path + ": the file was moved or deleted"};
    }
    if (!connection_) {
        if (auto error = open())
            return error;
    }
    limit_wait(connection_->database.get());
    return std::nullopt;
}

/// How long SQLite waits for the locks of other processes.
void SqliteStore::limit_wait(sqlite3* database) const {
    using std::chrono::milliseconds;
    auto wait = waits_ ? max_wait : milliseconds{0};
    if (deadline_) {
        const auto left =
            std::chrono::floor<milliseconds>(*deadline_ - std::chrono::steady_clock::now());
        wait = std::clamp(left, milliseconds{0}, wait);
    }
    sqlite3_busy_timeout(database, static_cast<int>(wait.count()));
}

/// Calls a function that writes, but does not wait for the locks of other processes, as readers
/// would wait with it.
template <typename Write>
auto SqliteStore::without_waiting(const Write& write) {
    waits_ = false;
    const auto reset = [](bool* waits) { *waits = true; };
    // Also if the function throws.
    const std::unique_ptr<bool, decltype(reset)> guard{&waits_, reset};
    return write();
}

void SqliteStore::set_deadline(std::chrono::steady_clock::time_point deadline) {
    deadline_ = deadline;
}

/// Opens the file, and in a batch begins its transaction.
std::optional<Error> SqliteStore::ensure_writable() {
    if (auto error = ensure_open())
        return error;
    if (in_batch_ && !in_transaction_) {
        if (!connection_->begin_transaction())
            return failure();
        in_transaction_ = true;
    }
    return std::nullopt;
}

/// SQLite's last error. Rolls the batch back; the next call after it reopens the file. But if only
/// a lock was missing, and the batch has written nothing yet, it goes on with the same connection.
Error SqliteStore::failure() {
    Error error{config_.path + ": " + sqlite3_errmsg(connection_->database.get())};
    if (connection_->is_locked() && !in_transaction_) {
        connection_->reset_statements();
        return error;
    }
    connection_.reset();
    if (in_batch_)
        batch_error_ = error;
    return error;
}

void SqliteStore::begin_batch() {
    in_batch_ = true;
}

std::optional<Error> SqliteStore::commit_batch() {
    if (in_transaction_ && !batch_error_ && !connection_->commit_transaction())
        failure();
    in_batch_ = false;
    in_transaction_ = false;
    return std::exchange(batch_error_, std::nullopt);
}

/// The current time in hours since 1970, just as expiry() counts them.
std::int64_t SqliteStore::now() const {
    return expiry(std::chrono::hours{0}) - 1;
}

/// When a record expires that is used now: in hours since 1970, rounded up.
std::int64_t SqliteStore::expiry(std::chrono::hours ttl) const {
    return std::chrono::ceil<std::chrono::hours>(clock_().time_since_epoch() + ttl).count();
}

/// The record that a query finds.
Result<std::optional<std::string>> SqliteStore::find_record(SqliteStatement& query) {
    const Step step = query.step();
    if (step == Step::failed)
        return failure();
    std::optional<std::string> record;
    if (step == Step::row)
        record = query.text(0);
    query.reset();
    return record;
}

/// Runs a statement that changes at most one record. Whether it did.
Result<bool> SqliteStore::change(SqliteStatement& statement) {
    if (statement.step() == Step::failed)
        return failure();
    statement.reset();
    return connection_->changes() == 1;
}

Result<std::optional<std::string>> SqliteStore::find_game(std::int64_t id) {
    if (const auto error = ensure_open())
        return *error;
    return find_record(connection_->find_game.with(id, now()));
}

Result<bool> SqliteStore::add_game(std::int64_t id, const std::string& record) {
    if (const auto error = ensure_writable())
        return *error;
    if (!connection_->evict_games(config_.capacity.games))
        return failure();
    auto& statement = connection_->add_game.with(id, record, expiry(config_.retention.new_game));
    auto changed = change(statement);
    if (changed && *changed)
        ++connection_->games;
    return changed;
}

Result<bool> SqliteStore::replace_game(std::int64_t id,
                                       const std::string& before,
                                       const std::string& after) {
    if (const auto error = ensure_writable())
        return *error;
    auto& statement =
        connection_->replace_game.with(id, before, after, expiry(config_.retention.game));
    return change(statement);
}

Result<bool> SqliteStore::remove_game(std::int64_t id) {
    if (const auto error = ensure_writable())
        return *error;
    auto& statement = connection_->remove_game.with(id);
    auto changed = change(statement);
    if (changed && *changed)
        --connection_->games;
    return changed;
}

Result<std::optional<std::string>> SqliteStore::find_session(const std::string& id) {
    if (const auto error = ensure_open())
        return *error;
    auto& statement = connection_->find_session.with(id, now());
    const Step step = statement.step();
    if (step == Step::failed)
        return failure();
    std::optional<std::string> record;
    if (step == Step::row)
        record = statement.text(0);
    const bool must_renew = record && statement.number(1) < expiry(config_.retention.session);
    statement.reset();
    if (must_renew) {
        const auto renewed = without_waiting([&] { return renew_session(id); });
        if (!renewed && !connection_)
            return renewed.error();
    }
    return record;
}

/// Restarts a session's time to live. If another process has the lock, the next use of the session
/// does.
Result<bool> SqliteStore::renew_session(const std::string& id) {
    if (const auto error = ensure_writable())
        return *error;
    return change(connection_->renew_session.with(id, expiry(config_.retention.session)));
}

Result<bool> SqliteStore::add_session(const std::string& id, const std::string& record) {
    if (const auto error = ensure_writable())
        return *error;
    if (!connection_->evict_sessions(config_.capacity.sessions))
        return failure();
    auto& statement =
        connection_->add_session.with(id, record, expiry(config_.retention.new_session));
    auto changed = change(statement);
    if (changed && *changed)
        ++connection_->sessions;
    return changed;
}

Result<std::optional<std::string>> SqliteStore::find_document(const std::string& id) {
    if (const auto error = ensure_open())
        return *error;
    return find_record(connection_->find_document.with(id, now()));
}

Result<bool> SqliteStore::put_document(const std::string& id,
                                       const std::optional<std::string>& before,
                                       const std::string& after) {
    if (const auto error = ensure_writable())
        return *error;
    const std::string expected = before.value_or("");
    auto& statement = connection_->replace_document.with(id, expected, after,
                                                         expiry(config_.retention.document), now());
    auto replaced = change(statement);
    return !replaced || *replaced ? replaced : add_document(id, after);
}

/// Adds a document. False if the id is taken.
Result<bool> SqliteStore::add_document(const std::string& id, const std::string& record) {
    if (!connection_->evict_documents(config_.capacity.documents))
        return failure();
    auto& statement =
        connection_->add_document.with(id, record, expiry(config_.retention.document));
    auto changed = change(statement);
    if (changed && *changed)
        ++connection_->documents;
    return changed;
}

Result<bool> SqliteStore::remove_document(const std::string& id) {
    if (const auto error = ensure_writable())
        return *error;
    auto& statement = connection_->remove_document.with(id);
    auto changed = change(statement);
    if (changed && *changed)
        --connection_->documents;
    return changed;
}

void SqliteStore::remove_expired() {
    without_waiting([&] {
        if (ensure_writable())
            return false;
        connection_->checkpointer.start();
        const bool done = connection_->count_records() && connection_->remove_expired(now());
        if (!done)
            failure();
        return done;
    });
}

Result<bool> SqliteStore::try_change() {
    return without_waiting([&]() -> Result<bool> {
        if (const auto error = ensure_writable())
            return *error;
        if (write_version(connection_->database.get()))
            return failure();
        return true;
    });
}

}  // namespace uci::store
