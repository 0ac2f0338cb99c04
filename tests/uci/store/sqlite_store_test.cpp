#if defined(PARLEY_SQLITE)

#include "uci/store/sqlite_store.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "uci/store/sqlite_database.hpp"
#include "uci/store/sqlite_statement.hpp"

#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"
#include "tests/uci/store/contract.hpp"

using uci::store::SqliteConfig;
using uci::store::SqliteStore;

namespace {

namespace fs = std::filesystem;

/// A database file in a folder of its own.
class Database {
public:
    std::string file() const { return (folder_.path() / "games.sqlite").string(); }
    SqliteConfig config() const { return {file(), {}, {}}; }

private:
    tests::TemporaryFolder folder_;
};

constexpr std::int64_t id{7};

/// As Parley made it before its files had a mark: the commands of commit 508fdb9.
constexpr const char* unmarked_store = R"(
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS games (
        id INTEGER PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS games_until ON games (until);
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY, record TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS sessions_until ON sessions (until);
    INSERT INTO games VALUES (7, 'old', 9999999);
    INSERT INTO sessions VALUES ('me', 'mine', 9999999);
)";

void make_file(const Database& database, const char* sql) {
    const auto [opened, error] = uci::store::open_sqlite(database.file(), sql);
    REQUIRE_FALSE(error);
}

std::int64_t pragma(const Database& database, const std::string& name) {
    const auto [opened, error] = uci::store::open_sqlite(database.file(), "");
    uci::store::SqliteStatement query{opened.get(), "PRAGMA " + name};
    CHECK(query.step() == uci::store::SqliteStatement::Step::row);
    return query.number(0);
}

/// Another process's connection that holds the lock for writing.
class Writer {
public:
    explicit Writer(const Database& database) {
        auto [opened, error] = uci::store::open_sqlite(database.file(), "BEGIN IMMEDIATE");
        REQUIRE_FALSE(error);
        database_ = std::move(opened);
    }

private:
    uci::store::SqliteDatabase database_;
};

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
}

}  // namespace

TEST_CASE("SQLite keeps games and sessions", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE_FALSE(store.open());
    tests::check_store(store);
}

TEST_CASE("SQLite keeps documents", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE_FALSE(store.open());
    tests::check_documents(store);
}

TEST_CASE("a document survives closing and opening the file, and expires", "[store]") {
    const Database database;
    auto now = std::chrono::system_clock::now();
    const auto clock = [&] { return now; };
    REQUIRE(SqliteStore(database.config(), clock).put_document("a", {}, "1"));
    SqliteStore store{database.config(), clock};
    CHECK(**store.find_document("a") == "1");
    now += std::chrono::hours{23};
    REQUIRE(*store.put_document("a", "1", "2"));
    now += std::chrono::hours{23};
    store.remove_expired();
    CHECK(**store.find_document("a") == "2");
    now += std::chrono::hours{2};
    CHECK_FALSE(*store.find_document("a"));
    CHECK(*store.put_document("a", {}, "new"));
    CHECK(**store.find_document("a") == "new");
}

TEST_CASE("a full store evicts the documents that were not changed for longest", "[store]") {
    const Database database;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{{database.file(), {}, {5, 5, 3}}, [&] { return now; }};
    for (int i = 0; i < 20; ++i) {
        now += std::chrono::hours{1};
        REQUIRE(*store.put_document(std::to_string(i), {}, "record"));
        REQUIRE(*store.put_document("played", i == 0 ? std::nullopt : std::optional{"record"},
                                    "record"));
    }
    CHECK(*store.find_document("played"));
    CHECK(*store.find_document("19"));
    CHECK_FALSE(*store.find_document("17"));
}

TEST_CASE("a record survives closing and opening the file", "[store]") {
    const Database database;
    REQUIRE(SqliteStore{database.config()}.add_game(id, "record"));
    const auto found = SqliteStore{database.config()}.find_game(id);
    REQUIRE(found);
    CHECK(*found == "record");
}

TEST_CASE("of several concurrent replacements of one record exactly one succeeds", "[store]") {
    const Database database;
    REQUIRE(SqliteStore{database.config()}.add_game(id, "0"));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int i = 1; i <= 4; ++i)
        threads.emplace_back([&, i] {
            SqliteStore store{database.config()};
            const auto replaced = store.replace_game(id, "0", std::to_string(i));
            successes += replaced && *replaced ? 1 : 0;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(successes == 1);
}

TEST_CASE("a used record expires after a month", "[store]") {
    const Database database;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{database.config(), [&] { return now; }};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.replace_game(id, "record", "record"));
    REQUIRE(store.add_session("used", "mine"));
    REQUIRE(store.add_session("unused", "mine"));
    CHECK(*store.find_session("used"));
    CHECK(*store.find_session("unused"));
    now += std::chrono::hours{29 * 24};
    store.remove_expired();
    CHECK(*store.find_game(id));
    CHECK(*store.find_session("used"));
    now += std::chrono::hours{2 * 24};
    CHECK_FALSE(*store.find_game(id));
    store.remove_expired();
    CHECK(*store.find_session("used"));
    CHECK_FALSE(*store.find_session("unused"));
    CHECK(*store.add_game(id, "a new one"));
}

TEST_CASE("a record that was never used again expires after a week", "[store]") {
    const Database database;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{database.config(), [&] { return now; }};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.add_session("unused", "mine"));
    now += std::chrono::hours{6 * 24};
    store.remove_expired();
    CHECK(*store.find_game(id));
    now += std::chrono::hours{2 * 24};
    CHECK_FALSE(*store.find_game(id));
    CHECK_FALSE(*store.find_session("unused"));
}

TEST_CASE("a full store evicts unused records before used ones", "[store]") {
    const Database database;
    SqliteStore store{{database.file(), {}, {5, 5}}};
    REQUIRE(*store.add_game(id, "record"));
    REQUIRE(*store.replace_game(id, "record", "after a move"));
    REQUIRE(*store.add_session("player", "mine"));
    REQUIRE(*store.find_session("player"));
    for (int i = 100; i < 120; ++i) {
        REQUIRE(*store.add_game(i, "never played"));
        CHECK(*store.find_game(i));
        REQUIRE(*store.add_session(std::to_string(i), "never used again"));
    }
    CHECK(*store.find_session("119"));
    CHECK(*store.find_session("player"));
    CHECK(*store.find_game(id));
    CHECK_FALSE(*store.find_game(100));
}

TEST_CASE("the capacity holds for all processes with the same file", "[store]") {
    const Database database;
    const SqliteConfig config{database.file(), {}, {5, 5}};
    SqliteStore first{config};
    SqliteStore second{config};
    REQUIRE_FALSE(first.open());
    REQUIRE_FALSE(second.open());
    for (int i = 0; i < 5; ++i) {
        REQUIRE(*first.add_game(i, "first's"));
        REQUIRE(*first.add_session("first " + std::to_string(i), "first's"));
        REQUIRE(*second.add_game(10 + i, "second's"));
        REQUIRE(*second.add_session("second " + std::to_string(i), "second's"));
    }
    second.remove_expired();
    REQUIRE(*second.add_game(20, "the newest"));
    REQUIRE(*second.add_session("the newest", "second's"));
    int games = 0;
    for (int i = 0; i <= 20; ++i)
        games += *second.find_game(i) ? 1 : 0;
    int sessions = *second.find_session("the newest") ? 1 : 0;
    for (int i = 0; i < 5; ++i) {
        sessions += *second.find_session("first " + std::to_string(i)) ? 1 : 0;
        sessions += *second.find_session("second " + std::to_string(i)) ? 1 : 0;
    }
    CHECK(games == 5);
    CHECK(sessions == 5);
}

TEST_CASE("a file that is not a database is refused", "[store]") {
    const Database database;
    std::ofstream{database.file()} << std::string(10'000, 'x');
    SqliteStore store{database.config()};
    CHECK(store.open());
    CHECK_FALSE(store.find_game(id));
    CHECK_FALSE(store.add_game(id, "record"));
    CHECK_FALSE(store.replace_game(id, "record", "another"));
    CHECK(SqliteStore{SqliteConfig{"/nowhere/at/all.sqlite", {}, {}}}.open());
}

TEST_CASE("a store without a mark is taken over with its records", "[store]") {
    const Database database;
    make_file(database, unmarked_store);
    for (int i = 0; i < 2; ++i) {
        SqliteStore store{database.config()};
        const auto error = store.open();
        CAPTURE(error ? error->reason : "");
        REQUIRE_FALSE(error);
        CHECK(*store.find_game(id) == "old");
        CHECK(*store.find_session("me") == "mine");
    }
    CHECK(pragma(database, "application_id") == 0x506C7947);
    CHECK(pragma(database, "user_version") == 2);
}

TEST_CASE("a file that commit 508fdb9 wrote is taken over with its records", "[store]") {
    std::ifstream text{tests::data_path("store/508fdb9.json")};
    const auto made = nlohmann::json::parse(text);
    const std::chrono::system_clock::time_point time{std::chrono::seconds{made["made"]}};
    const Database database;
    fs::copy_file(tests::data_path("store/508fdb9.sqlite"), database.file());
    CHECK(pragma(database, "application_id") == 0);
    for (int i = 0; i < 2; ++i) {
        SqliteStore store{database.config(), [time] { return time; }};
        REQUIRE_FALSE(store.open());
        for (const auto& game : made["games"]) {
            const auto found = store.find_game(std::stoll(game["number"].get<std::string>()));
            REQUIRE((found && *found));
            CHECK(**found == game["record"].get<std::string>());
            for (const auto* color : {"white", "black"}) {
                const auto session = store.find_session(game[color]);
                CHECK((session && *session));
            }
        }
        CHECK(*store.put_document(std::to_string(i), {}, "new"));
    }
    CHECK(pragma(database, "application_id") == 0x506C7947);
    CHECK(pragma(database, "user_version") == 2);
}

TEST_CASE("a store of version 1, without documents, is taken over with its records", "[store]") {
    const Database database;
    make_file(database, (std::string{unmarked_store}
                         + "PRAGMA application_id = 1349286215; PRAGMA user_version = 1")
                            .c_str());
    for (int i = 0; i < 2; ++i) {
        SqliteStore store{database.config()};
        REQUIRE_FALSE(store.open());
        CHECK(*store.find_game(id) == "old");
        CHECK(*store.find_session("me") == "mine");
        CHECK(*store.put_document(std::to_string(i), {}, "new"));
    }
    CHECK(pragma(database, "user_version") == 2);
}

TEST_CASE("a file whose tables were only half made is completed", "[store]") {
    std::string sql =
        "CREATE TABLE games (id INTEGER PRIMARY KEY, record TEXT NOT NULL, "
        "until INTEGER NOT NULL)";
    SECTION("the first table") {}
    SECTION("the first index") {
        sql += "; CREATE INDEX games_until ON games (until)";
    }
    SECTION("all but the last index") {
        sql = std::string{unmarked_store} + "DROP INDEX sessions_until";
    }
    const Database database;
    make_file(database, sql.c_str());
    for (int i = 0; i < 2; ++i) {
        SqliteStore store{database.config()};
        CHECK_FALSE(store.open());
        const auto added = store.add_session("me" + std::to_string(i), "mine");
        REQUIRE(added);
        CHECK(*added);
    }
}

TEST_CASE("a file of another program or version is refused and left alone", "[store]") {
    const auto [sql, reason] = GENERATE(table<std::string, std::string>(
        {{"CREATE TABLE notes (text)", "another program"},
         {"CREATE TABLE games (id, record, until)", "another program"},
         {"CREATE TABLE games (id INTEGER, record TEXT, until INTEGER)", "another program"},
         {"CREATE VIEW games AS SELECT 1 AS id", "another program"},
         {std::string{unmarked_store} + "CREATE TABLE notes (text)", "another program"},
         {std::string{unmarked_store} + "CREATE TABLE documents (id TEXT)", "another program"},
         {std::string{unmarked_store} + "CREATE VIEW notes AS SELECT id FROM games",
          "another program"},
         {std::string{unmarked_store} + "CREATE INDEX more ON games (record)", "another program"},
         {std::string{unmarked_store} + "CREATE TRIGGER more DELETE ON games BEGIN SELECT 1; END",
          "another program"},
         {std::string{unmarked_store} + "DROP INDEX games_until", "another program"},
         {"PRAGMA application_id = 5", "another program"},
         {"PRAGMA user_version = 1", "another program"},
         {"PRAGMA application_id = 1349286215; PRAGMA user_version = 3", "version 3"},
         {"PRAGMA application_id = 1349286215; PRAGMA user_version = 1", "the tables"}}));
    CAPTURE(sql);
    const Database database;
    make_file(database, sql.c_str());
    const auto size = fs::file_size(database.file());
    SqliteStore store{database.config()};
    const auto error = store.open();
    REQUIRE(error);
    CAPTURE(error->reason);
    CHECK(error->reason.find(reason) != std::string::npos);
    CHECK(fs::file_size(database.file()) == size);
    CHECK_FALSE(store.add_game(id, "record"));
}

TEST_CASE("a deleted file is noticed and created again", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE(store.add_game(id, "record"));
    for (const auto* end : {"", "-wal", "-shm"})
        fs::remove(database.file() + end);
    const auto replaced = store.replace_game(id, "record", "another");
    CHECK((!replaced || !*replaced));
    CHECK(*store.add_game(id, "record"));
    CHECK(fs::exists(database.file()));
}

TEST_CASE("the writes of a batch are seen by others when it is committed", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    SqliteStore other{database.config()};
    REQUIRE_FALSE(other.open());
    store.begin_batch();
    CHECK(*store.add_game(id, "first"));
    CHECK(*store.replace_game(id, "first", "second"));
    CHECK(*store.add_session("me", "mine"));
    CHECK(**store.find_game(id) == "second");
    CHECK_FALSE(*other.find_game(id));
    REQUIRE_FALSE(store.commit_batch());
    CHECK(**other.find_game(id) == "second");
    CHECK(**other.find_session("me") == "mine");
}

TEST_CASE("a batch does not undo what another process wrote after it had read", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    SqliteStore other{database.config()};
    REQUIRE(*store.add_game(id, "first"));
    store.begin_batch();
    CHECK(**store.find_game(id) == "first");
    CHECK(*other.replace_game(id, "first", "theirs"));
    const auto replaced = store.replace_game(id, "first", "ours");
    REQUIRE(replaced);
    CHECK_FALSE(*replaced);
    CHECK_FALSE(store.commit_batch());
    CHECK(**store.find_game(id) == "theirs");
}

TEST_CASE("while another process has the lock a store opens and reads, and then writes",
          "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE(*store.add_game(id, "record"));
    REQUIRE(*store.add_session("me", "mine"));
    {
        const Writer writer{database};
        SqliteStore late{database.config()};
        late.set_deadline(in(std::chrono::milliseconds{500}));
        CHECK_FALSE(late.open());
        for (auto* reader : {&store, &late}) {
            const auto latest = in(std::chrono::milliseconds{400});
            reader->set_deadline(in(std::chrono::milliseconds{2'000}));
            reader->remove_expired();
            CHECK(reader->find_game(id));
            CHECK_FALSE(reader->try_change());
            CHECK(reader->find_session("me"));  // whose time to live is to be prolonged
            reader->set_deadline(in(std::chrono::milliseconds{100}));
            const auto refused = reader->replace_game(id, "record", "another");
            REQUIRE_FALSE(refused);
            CHECK(refused.reason().find("locked") != std::string::npos);
            CHECK(reader->find_game(id));
            CHECK(std::chrono::steady_clock::now() < latest);
        }
    }
    CHECK(*store.replace_game(id, "record", "another"));
}

TEST_CASE("a write that waits for a lock in vain fails alone in its batch", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE(*store.add_game(id, "record"));
    store.begin_batch();
    {
        const Writer writer{database};
        store.set_deadline(in(std::chrono::milliseconds{50}));
        CHECK_FALSE(store.replace_game(id, "record", "refused"));
        CHECK(store.find_game(id));
    }
    store.set_deadline(in(std::chrono::milliseconds{2'000}));
    CHECK(*store.replace_game(id, "record", "another"));
    CHECK_FALSE(store.commit_batch());
    CHECK(**store.find_game(id) == "another");
}

TEST_CASE("a batch that fails keeps none of its writes", "[store]") {
    const Database database;
    SqliteStore store{database.config()};
    REQUIRE(*store.add_game(id, "before"));
    store.begin_batch();
    CHECK(*store.replace_game(id, "before", "after"));
    // Without its file a store cannot go on.
    fs::rename(database.file(), database.file() + ".moved");
    CHECK_FALSE(store.add_game(id + 1, "another"));
    CHECK_FALSE(store.find_game(id));
    const auto error = store.commit_batch();
    REQUIRE(error);
    CHECK(error->reason.find("moved") != std::string::npos);
    fs::rename(database.file() + ".moved", database.file());
    CHECK(**store.find_game(id) == "before");
    CHECK_FALSE(*store.find_game(id + 1));
}

#endif
