#include "uci/json/web/room_record.hpp"

#include "core/fen.hpp"

#include "tests/uci/json/client.hpp"

using namespace tests;
using namespace uci::json;
using namespace uci::json::web;

namespace {

const std::string promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";

/// The record of a session, written and read again.
RoomRecord read_back(const RoomRecord& record) {
    const auto text = write_room_record(record);
    CAPTURE(text);
    const auto read = read_room_record(text);
    REQUIRE(read);
    CHECK(write_room_record(*read) == text);
    return *read;
}

/// The session that goes on from its record.
Session restored(const Session& session) {
    RoomRecord record;
    record.session = session.state();
    Session next;
    next.restore(read_back(record).session);
    return next;
}

void check_same(const Session& session, const Session& other) {
    CHECK(core::fen(session.game().position()) == core::fen(other.game().position()));
    CHECK(core::fen(session.game().start()) == core::fen(other.game().start()));
    CHECK(session.game().moves() == other.game().moves());
    CHECK(session.game().keys().size() == other.game().keys().size());
    CHECK(session.games_before() == other.games_before());
    CHECK(session.is_over() == other.is_over());
    CHECK(session.promoting().has_value() == other.promoting().has_value());
    REQUIRE(session.ending().has_value() == other.ending().has_value());
    if (session.ending()) {
        CHECK(session.ending()->reason == other.ending()->reason);
        CHECK(session.ending()->victor == other.ending()->victor);
    }
}

}  // namespace

TEST_CASE("a session goes on from its record", "[room_record]") {
    using Lines = std::vector<std::string>;
    const auto lines = GENERATE(values<Lines>(
        {{},
         {move_request("E2", "E4"), move_request("E7", "E5"), move_request("G1", "F3"),
          move_request("B8", "C6"), move_request("F1", "C4"), move_request("G8", "F6"),
          move_request("E1", "G1")},
         {move_request("F2", "F3"), move_request("E7", "E5"), move_request("G2", "G4"),
          move_request("D8", "H4")},
         {new_game_request(promotes), move_request("A7", "A8")},
         {new_game_request(promotes), move_request("A7", "A8"), choice_request("rook")},
         {move_request("D2", "D4"), R"({"message_type":"resignation","player":"white"})"},
         {R"({"message_type":"timeout","player":"black"})"},
         {new_game_request("8/7k/8/8/8/8/8/K7 b - - 99 80"), move_request("H7", "H8")},
         {move_request("D2", "D4"), R"({"message_type":"new_game"})", move_request("D2", "D4"),
          R"({"message_type":"take_back"})"}}));
    Session session;
    for (const auto& line : lines)
        CHECK_FALSE(messages_after(session, line) == std::vector<std::string>{tests::failure});
    Session next = restored(session);
    check_same(session, next);
    CHECK(messages_after(next, request("get_legal_moveset"))
          == messages_after(session, request("get_legal_moveset")));
}

TEST_CASE("a repetition counts what was played before the restart", "[room_record]") {
    Session session;
    for (int i = 0; i < 2; ++i) {
        for (const auto& [from, to] : {std::pair{"G1", "F3"}, std::pair{"G8", "F6"},
                                       std::pair{"F3", "G1"}, std::pair{"F6", "G8"}}) {
            session = restored(session);
            messages_after(session, move_request(from, to));
        }
    }
    REQUIRE(session.ending());
    CHECK(session.ending()->reason == "threefold_repetition");
}

TEST_CASE("a record keeps the search, the seats and the times", "[room_record]") {
    RoomRecord record;
    record.search.emplace();
    record.search->movetime = std::chrono::milliseconds{700};
    record.search->nodes = UINT64_MAX;
    record.search->depth = 12;
    record.search->elo = 1'500;
    record.seats = {hash_of_key("white's"), ""};
    record.names = {"Ann \"<b>\"", ""};
    record.rematches = 3;
    record.created = WallTime{std::chrono::milliseconds{1'700'000'000'001}};
    record.changed = record.created + std::chrono::seconds{1};
    record.active = record.changed + std::chrono::seconds{1};
    record.server = "some server";
    record.searcher = "another server";
    record.time = std::chrono::milliseconds{12'345};
    record.revision = 42;
    const auto read = read_back(record);
    REQUIRE(read.search);
    CHECK(read.session.is_searching);
    CHECK(read.search->movetime == record.search->movetime);
    CHECK(read.search->nodes == record.search->nodes);
    CHECK(read.search->depth == record.search->depth);
    CHECK(read.search->elo == record.search->elo);
    CHECK(read.searcher == record.searcher);
    CHECK(read.time == record.time);
    CHECK(read.revision == record.revision);
    CHECK(read.seats == record.seats);
    CHECK(read.names == record.names);
    CHECK(read.rematches == record.rematches);
    CHECK(read.created == record.created);
    CHECK(read.changed == record.changed);
    CHECK(read.active == record.active);
    CHECK(is_written_by(write_room_record(record), "some server"));
    CHECK_FALSE(is_written_by(write_room_record(record), "some"));
    Session session;
    session.restore(read.session);
    CHECK(session.is_thinking());
}

TEST_CASE("a record keeps the clocks", "[room_record]") {
    Session session;
    messages_after(session, R"({"message_type":"new_game","white_time":60000,"black_time":30000,
                                "white_increment":1000,"black_increment":2000})");
    for (const auto& line : {move_request("E2", "E4"), move_request("E7", "E5"),
                             move_request("G1", "F3"), request("clock")})
        messages_after(session, line);
    RoomRecord record;
    record.session = session.state();
    REQUIRE(record.session.clock);
    record.session.clock->used = std::chrono::milliseconds{5'000};
    const auto read = read_back(record);
    CHECK(read.session.clock == record.session.clock);
    Session next;
    next.restore(read.session);
    REQUIRE(next.clock());
    CHECK(next.clock()->running() == core::Color::black);
    const auto left = next.clock()->left(core::Color::black, std::chrono::steady_clock::now());
    CHECK(left <= std::chrono::milliseconds{25'000});
    CHECK(left > std::chrono::milliseconds{20'000});
    CHECK(next.clock()->left_before_move(core::Color::white)
          == session.clock()->left_before_move(core::Color::white));
    messages_after(session, R"({"message_type":"resignation","player":"white"})");
    Session over = restored(session);
    REQUIRE(over.clock());
    CHECK_FALSE(over.clock()->running());
    CHECK(over.state().clock == session.state().clock);
}

TEST_CASE("members of later versions of Parley do not matter", "[room_record]") {
    const auto read = read_room_record(
        R"({"version":1,"moves":"e2e4","arena":{"white":[1,{}]},"seats":{"white":"a","red":7}})");
    REQUIRE(read);
    CHECK(read->session.game.moves().size() == 1);
    CHECK(read->seats == std::array<std::string, 2>{"a", ""});
}

TEST_CASE("what is no record is refused with a reason", "[room_record]") {
    const auto [text, reason] = GENERATE(table<std::string, std::string>(
        {{"", "no JSON object"},
         {"[]", "no JSON object"},
         {R"({"version":1)", "no JSON object"},
         {"{}", "no version"},
         {R"({"version":2,"moves":""})", "version 2"},
         {R"({"version":1,"moves":"e2e4 e2e4"})", "moves: move 2"},
         {R"({"version":1,"start_fen":"nonsense"})", "start_fen: "},
         {R"({"version":1,"search":{"depth":-1}})", "search: "},
         {R"({"version":1,"search":{"elo":100000}})", "search: "},
         {R"({"version":1,"search":{"milliseconds":60001}})", "search: "},
         {R"({"version":1,"clock":{}})", "clock: no times of white"},
         {R"({"version":1,"clock":{"white":[1,0],"black":[1]}})", "clock: no times of black"},
         {R"({"version":1,"clock":{"white":[1,0],"black":[1,0],"left":[1],"used":0}})",
          "clock: not as many"},
         {R"({"version":1,"moves":"e2e4",
              "clock":{"white":[1,0],"black":[1,0],"left":[-1],"used":0}})",
          "clock: a time left"},
         {R"({"version":1,"clock":{"white":[1,0],"black":[1,0],"left":[],
              "used":9223372036854775807}})",
          "clock: no time used"}}));
    CAPTURE(text);
    const auto read = read_room_record(text);
    REQUIRE_FALSE(read);
    CHECK(read.reason().find(reason) != std::string::npos);
}

TEST_CASE("a promotion and a search that the position does not allow are left out",
          "[room_record]") {
    const auto* const text =
        GENERATE(R"({"version":1,"moves":"","promoting":{"from":"E2","to":"E4"}})",
                 R"({"version":1,"moves":"f2f3 e7e5 g2g4 d8h4","search":{"depth":1}})");
    const auto read = read_room_record(text);
    REQUIRE(read);
    Session session;
    session.restore(read->session);
    CHECK_FALSE(session.is_thinking());
    CHECK_FALSE(session.promoting());
}

TEST_CASE("a hash tells a key from others and does not show it", "[room_record]") {
    CHECK(hash_of_key("0123456789abcdef") == hash_of_key("0123456789abcdef"));
    CHECK(hash_of_key("0123456789abcdef") != hash_of_key("0123456789abcdeF"));
    CHECK(hash_of_key("0123456789abcdef").find("0123456789abcdef") == std::string::npos);
}
