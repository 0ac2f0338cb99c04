#if defined(PARLEY_SQLITE)

#include "uci/store/sqlite_store.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/uci/store/contract.hpp"

using uci::store::SqliteConfig;
using uci::store::SqliteStore;

namespace {

namespace fs = std::filesystem;

/// A temporary folder that is removed after the test.
class Folder {
public:
    Folder() {
        static std::atomic<int> count{0};
        path_ = fs::temp_directory_path()
              / ("parley-store-" + std::to_string(std::random_device{}()) + "-"
                 + std::to_string(++count));
        fs::create_directories(path_);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;

    std::string file() const { return (path_ / "games.sqlite").string(); }
    SqliteConfig config() const { return {file(), {}, {}}; }

private:
    fs::path path_;
};

constexpr std::int64_t id{7};

}  // namespace

TEST_CASE("SQLite keeps games and sessions", "[store]") {
    const Folder folder;
    SqliteStore store{folder.config()};
    REQUIRE_FALSE(store.open());
    tests::check_store(store);
}

TEST_CASE("a record survives closing and opening the file", "[store]") {
    const Folder folder;
    REQUIRE(SqliteStore{folder.config()}.add_game(id, "record"));
    const auto found = SqliteStore{folder.config()}.find_game(id);
    REQUIRE(found);
    CHECK(*found == "record");
}

TEST_CASE("of several concurrent replacements of one record exactly one succeeds", "[store]") {
    const Folder folder;
    REQUIRE(SqliteStore{folder.config()}.add_game(id, "0"));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int i = 1; i <= 4; ++i)
        threads.emplace_back([&, i] {
            SqliteStore store{folder.config()};
            const auto replaced = store.replace_game(id, "0", std::to_string(i));
            successes += replaced && *replaced ? 1 : 0;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(successes == 1);
}

TEST_CASE("a used record expires after a month", "[store]") {
    const Folder folder;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{folder.config(), [&] { return now; }};
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
    const Folder folder;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{folder.config(), [&] { return now; }};
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
    const Folder folder;
    SqliteStore store{{folder.file(), {}, {5, 5}}};
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

TEST_CASE("a file that is not a database is refused", "[store]") {
    const Folder folder;
    std::ofstream{folder.file()} << std::string(10'000, 'x');
    SqliteStore store{folder.config()};
    CHECK(store.open());
    CHECK_FALSE(store.find_game(id));
    CHECK_FALSE(store.add_game(id, "record"));
    CHECK_FALSE(store.replace_game(id, "record", "another"));
    CHECK(SqliteStore{SqliteConfig{"/nowhere/at/all.sqlite", {}, {}}}.open());
}

TEST_CASE("a deleted file is noticed and created again", "[store]") {
    const Folder folder;
    SqliteStore store{folder.config()};
    REQUIRE(store.add_game(id, "record"));
    for (const auto* end : {"", "-wal", "-shm"})
        fs::remove(folder.file() + end);
    const auto replaced = store.replace_game(id, "record", "another");
    CHECK((!replaced || !*replaced));
    CHECK(*store.add_game(id, "record"));
    CHECK(fs::exists(folder.file()));
}

#endif
