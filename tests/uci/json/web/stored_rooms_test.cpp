#include "uci/json/web/stored_rooms.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "uci/json/web/room_record.hpp"
#include "uci/store/memory_store.hpp"
#include "uci/store/store_factory.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/uci/json/web/fixture.hpp"

using namespace uci::json::web;
using Clock = std::chrono::steady_clock;

namespace {

/// Two servers with one store.
struct SharedStore {
    boost::asio::io_context io;
    uci::store::AsyncStore store{
        io, std::make_unique<uci::store::MemoryStore>(uci::store::MemoryConfig{})};
    StoredRooms rooms{store};
    StoredRooms others{store};

    bool save(StoredRooms& server, const RoomSave& save) {
        std::optional<bool> saved;
        server.save(save, [&](const core::Result<bool>& done) {
            REQUIRE(done);
            saved = *done;
        });
        CHECK_FALSE(saved);
        io.run();
        io.restart();
        REQUIRE(saved);
        return *saved;
    }
    std::optional<std::string> find(const std::string& id) {
        std::optional<std::string> record;
        rooms.find(id, [&](const auto& found) {
            REQUIRE(found);
            record = *found ? std::optional{(*found)->text} : std::nullopt;
        });
        io.run();
        io.restart();
        return record;
    }
};

std::string record_of(const StoredRooms& server, int games_before) {
    RoomRecord record;
    record.server = server.server();
    record.session.games_before = static_cast<std::uint64_t>(games_before);
    return write_room_record(record);
}

/// The record of a game of so many plies, in which knights go back and forth.
std::string record_of_long_game(int plies) {
    constexpr std::array moves{"g1f3", "g8f6", "f3g1", "f6g8"};
    RoomRecord record;
    record.active = wall_time();
    for (int ply = 0; ply < plies; ++ply) {
        const std::array<std::string, 1> next{moves.at(static_cast<std::size_t>(ply) % 4)};
        REQUIRE(record.session.game.play(next));
    }
    return write_room_record(record);
}

Clock::duration time_of(const std::function<void()>& call) {
    const auto begin = Clock::now();
    call();
    return Clock::now() - begin;
}

}  // namespace

TEST_CASE("rooms are stored, found and removed", "[stored_rooms]") {
    SharedStore shared;
    const auto first = record_of(shared.rooms, 1);
    const auto second = record_of(shared.rooms, 2);
    CHECK(shared.rooms.server() != shared.others.server());
    CHECK_FALSE(shared.find("a"));
    CHECK(shared.save(shared.rooms, {"a", {}, first}));
    CHECK(shared.find("a") == first);
    CHECK(shared.save(shared.rooms, {"a", first, second}));
    CHECK_FALSE(shared.save(shared.rooms, {"a", first, second}));
    CHECK(shared.find("a") == second);
    std::optional<std::string> error{"none yet"};
    shared.rooms.check(
        [&](const auto& failed) { error = failed ? std::optional{failed->reason} : std::nullopt; });
    bool removed = false;
    shared.rooms.remove("a", [&](const auto& done) { removed = done && *done; });
    CHECK_FALSE(shared.find("a"));
    CHECK(removed);
    CHECK_FALSE(error);
}

TEST_CASE("a save of unknown outcome is overwritten by its server alone", "[stored_rooms]") {
    SharedStore shared;
    const auto first = record_of(shared.rooms, 1);
    const auto unknown = record_of(shared.rooms, 2);
    const auto next = record_of(shared.rooms, 3);
    CHECK(shared.save(shared.rooms, {"a", {}, unknown}));
    CHECK_FALSE(shared.save(shared.others, {"a", first, record_of(shared.others, 3), true}));
    CHECK_FALSE(shared.save(shared.rooms, {"a", first, next}));
    CHECK(shared.save(shared.rooms, {"a", first, next, true}));
    CHECK(shared.find("a") == next);
}

TEST_CASE("a long game is decoded while the server's thread goes on", "[stored_rooms]") {
    SharedStore shared;
    tests::WebFixture web;
    GameRegistry games{{.queue = web.queue, .store = &shared.rooms}};
    const auto record = record_of_long_game(5'000);
    auto decoding = Clock::duration::max();
    auto opening = Clock::duration::max();
    for (const char name : {'a', 'b', 'c', 'd', 'e'}) {  // the fastest of several, against noise
        const std::string id(32, name);
        CHECK(shared.save(shared.rooms, {id, {}, record}));
        decoding = std::min(decoding, time_of([&] { CHECK(read_room_record(record)); }));
        bool is_open = false;
        games.open(id, [&](const auto& room) { is_open = room && *room; });
        while (!is_open) {
            const auto took = time_of([&] { shared.io.poll_one(); });
            if (is_open)
                opening = std::min(opening, took);
            std::this_thread::yield();
        }
        shared.io.restart();
    }
    CAPTURE(decoding.count(), opening.count());
    CHECK(opening < decoding / 2);
}

TEST_CASE("memory is chosen by name, and a file that cannot be used is refused", "[stored_rooms]") {
    const auto memory = open_store("memory");
    REQUIRE(memory);
    CHECK_FALSE(memory->store);
    CHECK_FALSE(open_store("/nowhere/at/all.sqlite"));
}

#if !defined(_WIN32)
TEST_CASE("without a choice games are in the user's folder, or in memory", "[stored_rooms]") {
    const tests::TemporaryFolder folder;
    const std::string before = std::getenv("XDG_DATA_HOME") ? std::getenv("XDG_DATA_HOME") : "";
    setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    const auto file = folder.path() / "parley" / "serve.sqlite";
    {
        const auto opened = open_store("");
        REQUIRE(opened);
        CHECK((opened->store != nullptr) == uci::store::has_sqlite());
        CHECK(std::filesystem::exists(file) == uci::store::has_sqlite());
    }
    std::filesystem::remove_all(folder.path() / "parley");
    std::ofstream{folder.path() / "parley"} << "no folder";
    {
        const auto opened = open_store("");
        REQUIRE(opened);
        CHECK_FALSE(opened->store);
        CHECK(opened->description.find("memory") != std::string::npos);
    }
    if (before.empty())
        unsetenv("XDG_DATA_HOME");
    else
        setenv("XDG_DATA_HOME", before.c_str(), 1);
}
#endif
