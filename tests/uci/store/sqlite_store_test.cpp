#if defined(PARLEY_SQLITE)

#include "uci/store/sqlite_store.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/uci/store/contract.hpp"

using uci::chezz::GameId;
using uci::store::SqliteStore;

namespace {

namespace fs = std::filesystem;

/// A folder that goes with the test.
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

private:
    fs::path path_;
};

constexpr GameId id{7};

}  // namespace

TEST_CASE("SQLite keeps games and sessions", "[store]") {
    const Folder folder;
    SqliteStore store{folder.file()};
    REQUIRE_FALSE(store.open());
    tests::check_store(store);
}

TEST_CASE("what SQLite was given is there for those who open it later", "[store]") {
    const Folder folder;
    REQUIRE(SqliteStore{folder.file()}.add_game(id, "record"));
    const auto found = SqliteStore{folder.file()}.find_game(id);
    REQUIRE(found);
    CHECK(*found == "record");
}

TEST_CASE("of many who replace the same record one succeeds", "[store]") {
    const Folder folder;
    REQUIRE(SqliteStore{folder.file()}.add_game(id, "0"));
    std::atomic<int> successes{0};
    std::vector<std::thread> threads;
    for (int i = 1; i <= 4; ++i)
        threads.emplace_back([&, i] {
            SqliteStore store{folder.file()};
            const auto replaced = store.replace_game(id, "0", std::to_string(i));
            successes += replaced && *replaced ? 1 : 0;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(successes == 1);
}

TEST_CASE("what nobody needs is cleared away after a month", "[store]") {
    const Folder folder;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{folder.file(), [&] { return now; }};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.replace_game(id, "record", "record"));
    REQUIRE(store.add_session("used", "mine"));
    REQUIRE(store.add_session("unused", "mine"));
    CHECK(*store.find_session("used"));
    CHECK(*store.find_session("unused"));
    now += std::chrono::hours{29 * 24};
    store.clear_away();
    CHECK(*store.find_game(id));
    CHECK(*store.find_session("used"));
    now += std::chrono::hours{2 * 24};
    CHECK_FALSE(*store.find_game(id));
    store.clear_away();
    CHECK(*store.find_session("used"));
    CHECK_FALSE(*store.find_session("unused"));
    CHECK(*store.add_game(id, "a new one"));
}

TEST_CASE("what nobody came to see again is cleared away after a week", "[store]") {
    const Folder folder;
    auto now = std::chrono::system_clock::now();
    SqliteStore store{folder.file(), [&] { return now; }};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.add_session("unused", "mine"));
    now += std::chrono::hours{6 * 24};
    store.clear_away();
    CHECK(*store.find_game(id));
    now += std::chrono::hours{2 * 24};
    CHECK_FALSE(*store.find_game(id));
    CHECK_FALSE(*store.find_session("unused"));
}

TEST_CASE("a flood of games and sessions pushes out itself alone", "[store]") {
    const Folder folder;
    SqliteStore store{folder.file(), std::chrono::system_clock::now, {5, 5}};
    REQUIRE(*store.add_game(id, "record"));
    REQUIRE(*store.replace_game(id, "record", "after a move"));
    REQUIRE(*store.add_session("player", "mine"));
    REQUIRE(*store.find_session("player"));
    for (int i = 100; i < 120; ++i) {
        REQUIRE(*store.add_game(GameId{i}, "never played"));
        CHECK(*store.find_game(GameId{i}));
        REQUIRE(*store.add_session(std::to_string(i), "never used again"));
    }
    CHECK(*store.find_session("119"));
    CHECK(*store.find_session("player"));
    CHECK(*store.find_game(id));
    CHECK_FALSE(*store.find_game(GameId{100}));
}

TEST_CASE("a file that is no store is refused", "[store]") {
    const Folder folder;
    std::ofstream{folder.file()} << std::string(10'000, 'x');
    SqliteStore store{folder.file()};
    CHECK(store.open());
    CHECK_FALSE(store.find_game(id));
    CHECK_FALSE(store.add_game(id, "record"));
    CHECK_FALSE(store.replace_game(id, "record", "another"));
    CHECK(SqliteStore{"/nowhere/at/all.sqlite"}.open());
}

TEST_CASE("a file that was taken away is noticed, and made anew", "[store]") {
    const Folder folder;
    SqliteStore store{folder.file()};
    REQUIRE(store.add_game(id, "record"));
    for (const auto* end : {"", "-wal", "-shm"})
        fs::remove(folder.file() + end);
    const auto replaced = store.replace_game(id, "record", "another");
    CHECK((!replaced || !*replaced));
    CHECK(*store.add_game(id, "record"));
    CHECK(fs::exists(folder.file()));
}

#endif
