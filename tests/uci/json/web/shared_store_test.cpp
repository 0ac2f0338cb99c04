#include <string>
#include <vector>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_record.hpp"

#include "tests/uci/json/web/fake_room_store.hpp"
#include "tests/uci/json/web/fixture.hpp"
#include "tests/uci/json/web/room_client.hpp"

using namespace tests;
using namespace uci::json::web;
using namespace std::chrono_literals;

namespace {

/// What another server sees of a store.
class OtherServersStore : public RoomStore {
public:
    explicit OtherServersStore(FakeRoomStore& store) : store_{store} {}

    const std::string& server() const override { return server_; }
    void save(RoomSave save, OnDone callback) override {
        store_.save(std::move(save), std::move(callback));
    }
    void find(const std::string& id, OnFound callback) override {
        store_.find(id, std::move(callback));
    }
    void remove(const std::string& id, OnDone callback) override {
        store_.remove(id, std::move(callback));
    }
    void check_server(const std::string& name, OnDone callback) override {
        store_.check_server(name, std::move(callback));
    }
    std::optional<std::chrono::milliseconds> shared_time() const override { return store_.time; }

private:
    FakeRoomStore& store_;
    std::string server_{"other server"};
};

/// Two servers that share a store, but hear nothing of each other's changes, and a game.
struct TwoServers {
    WebFixture web;
    FakeRoomStore store;
    OtherServersStore others_store{store};
    GameRegistry games{services(store)};
    GameRegistry others{services(others_store)};
    std::shared_ptr<GameRoom> room = games.create(std::chrono::steady_clock::now());
    RoomClient client{room};

    TwoServers() { store.servers = {store.server(), others_store.server()}; }

    RoomServices services(RoomStore& rooms) {
        return {
            .queue = web.queue, .reviews = &web.reviews, .store = &rooms, .alarms = &web.alarms};
    }
    std::shared_ptr<GameRoom> open_there() {
        std::shared_ptr<GameRoom> opened;
        others.open(room->id(), [&](const auto& found) { opened = *found; });
        store.answer_all();
        REQUIRE(opened);
        return opened;
    }
    Lines ask(RoomClient& asking, const std::string& message) {
        asking.clear();
        asking.send(message);
        store.answer_all();
        return asking.received();
    }
    void pass_second(GameRegistry& registry) {
        registry.follow_other_servers();
        store.answer_all();
    }
    std::size_t searches() const {
        const auto known = web.queue.statistics();
        return known.running + known.waiting_players;
    }
    std::string record() const { return store.records.at(room->id()); }
};

const std::string long_search = R"({"message_type":"engine_move","milliseconds":60000})";
const std::string short_search = R"({"message_type":"engine_move","depth":1})";

}  // namespace

TEST_CASE("a search is taken over once its server has ended, and its move is made once",
          "[shared_store]") {
    TwoServers two;
    two.ask(two.client, short_search);
    const auto there = two.open_there();
    CHECK(there->lacks_search());
    two.pass_second(two.others);
    CHECK(there->lacks_search());
    CHECK(read_room_record(two.record())->searcher == two.store.server());
    two.store.servers.erase(two.store.server());
    two.pass_second(two.others);
    CHECK_FALSE(there->lacks_search());
    CHECK(read_room_record(two.record())->searcher == "other server");
    // The first server has not ended. Its move comes too late, or it hears of the other one's
    // search.
    two.web.run_until([&] {
        two.store.answer_all();
        return there->plies() == 1 && two.searches() == 0;
    });
    two.games.refresh(two.room->id());
    two.store.answer_all();
    CHECK(there->plies() == 1);
    CHECK(two.room->plies() == 1);
    CHECK_FALSE(two.room->lacks_search());
    CHECK(read_room_record(two.record())->session.game.moves().size() == 1);
}

TEST_CASE("a search that cannot be taken over now is taken over later", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, short_search);
    const auto there = two.open_there();
    two.store.servers.clear();
    two.store.fails = true;
    two.pass_second(two.others);
    CHECK(there->lacks_search());
    two.store.fails = false;
    two.others.follow_other_servers();
    two.store.answer();  // the server is gone
    two.store.fails = true;
    two.store.answer_all();  // the new searcher is not stored
    CHECK(there->lacks_search());
    two.store.fails = false;
    two.pass_second(two.others);
    CHECK_FALSE(there->lacks_search());
}

TEST_CASE("a search ends when the game has ended at another server", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, long_search);
    CHECK(two.searches() == 1);
    RoomClient other{two.open_there()};
    CHECK(type_of(two.ask(other, R"({"message_type":"resignation","player":"white"})").front())
          == "game_end");
    two.client.clear();
    two.games.refresh(two.room->id());
    two.store.answer_all();
    two.web.run_until([&] { return two.searches() == 0; });
    REQUIRE(two.client.received().size() == 3);
    CHECK(type_of(two.client.received().front()) == "failure");
    CHECK(type_of(two.client.received().back()) == "game_end");
}

TEST_CASE("a seat that is taken at another server does not end the search", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, short_search);
    RoomClient other{two.open_there()};
    CHECK(type_of(two.ask(other, take_seat_request("black", "0123456789abcdef")).front())
          == "seat_taken");
    two.games.refresh(two.room->id());
    two.store.answer_all();
    two.web.run_until([&] { return two.searches() == 0; });
    two.store.answer_all();
    CHECK(two.room->plies() == 1);
    CHECK_FALSE(read_room_record(two.record())->seats[1].empty());
}

TEST_CASE("a game that cannot be read again is read later", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, move_request("E2", "E4"));
    RoomClient other{two.open_there()};
    two.ask(other, move_request("E7", "E5"));
    two.store.fails = true;
    two.games.refresh(two.room->id());
    two.store.answer_all();
    two.pass_second(two.games);
    CHECK(two.room->plies() == 1);
    two.store.fails = false;
    two.pass_second(two.games);
    CHECK(two.room->plies() == 2);
    const auto finds = two.store.finds;
    two.pass_second(two.games);
    CHECK(two.store.finds == finds);
}

TEST_CASE("all games are read again, few at a time", "[shared_store]") {
    TwoServers two;
    for (std::size_t i = 0; i < 2 * max_refreshes; ++i) {
        RoomClient player{two.games.create(std::chrono::steady_clock::now())};
        two.ask(player, move_request("E2", "E4"));
    }
    two.games.refresh_all();
    CHECK(two.store.count_waiting() == max_refreshes);
    two.store.answer_all();
    CHECK(two.store.finds == 2 * static_cast<int>(max_refreshes));
}

TEST_CASE("games that the store has lost are stored again", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, move_request("E2", "E4"));
    const auto older = two.record();
    two.ask(two.client, move_request("E7", "E5"));
    SECTION("altogether") {
        two.store.records.clear();
    }
    SECTION("with their last changes") {
        two.store.records[two.room->id()] = older;
    }
    two.games.refresh_all();
    two.store.answer_all();
    CHECK(read_room_record(two.record())->session.game.moves().size() == 2);
    CHECK(two.room->plies() == 2);
    CHECK(two.ask(two.client, move_request("G1", "F3")).size() == 1);
}

TEST_CASE("a game that another server has removed is closed", "[shared_store]") {
    TwoServers two;
    two.ask(two.client, move_request("E2", "E4"));
    std::vector<std::string> removed;
    two.games.when_removed([&](const std::string& id) { removed.push_back(id); });
    two.others.remove(two.room->id(), [](const auto&) {});
    two.games.refresh(two.room->id());
    two.store.answer_all();
    CHECK(removed == std::vector{two.room->id()});
    CHECK(two.room->is_full());
    CHECK_FALSE(two.games.find(two.room->id()));
}

TEST_CASE("a clock is charged with the time that other servers have run", "[shared_store]") {
    TwoServers two;
    two.store.time = 1'000'000ms;
    two.ask(two.client, R"({"message_type":"clock","white_time":60000,"black_time":60000})");
    for (const auto& [from, to] : {std::pair{"E2", "E4"}, std::pair{"E7", "E5"}})
        two.ask(two.client, move_request(from, to));
    two.store.time = 1'020'000ms;
    RoomClient other{two.open_there()};
    const auto clock = Json::parse(two.ask(other, R"({"message_type":"clock"})").front());
    const int left = clock.at("white_time");
    CHECK(left > 30'000);
    CHECK(left <= 40'000);
}
