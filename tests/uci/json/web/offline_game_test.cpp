#include "uci/json/web/offline_game.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "tests/uci/json/client.hpp"

using namespace tests;
using Lines = std::vector<std::string>;

namespace {

/// Sends its lines at once, and ends the input when a message of that type has been written so
/// often.
class FakeTransport : public uci::transport::Transport {
public:
    FakeTransport(const Lines& lines, std::string last, std::size_t count)
        : lines_(lines.begin(), lines.end()),
          last_{std::move(last)},
          count_{count} {}

    std::optional<std::string> read_line() override {
        if (lines_.empty()) {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [&] { return of_type(last_).size() >= count_; });
            return std::nullopt;
        }
        auto line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }
    void write_line(std::string_view line) override {
        const std::lock_guard lock{mutex_};
        written_.push_back(Json::parse(line));
        changed_.notify_one();
    }

    /// The messages of a type; the records without one.
    std::vector<Json> of_type(std::string_view type) const {
        std::vector<Json> found;
        std::copy_if(
            written_.begin(), written_.end(), std::back_inserter(found),
            [&](const Json& message) { return message.value("message_type", "") == type; });
        return found;
    }

private:
    std::deque<std::string> lines_;
    std::string last_;
    std::size_t count_;
    std::mutex mutex_;  ///< guards `written_` while the game runs
    std::condition_variable changed_;
    std::vector<Json> written_;
};

}  // namespace

TEST_CASE("the page's game without a server has the engine's moves", "[json][web]") {
    engine::GeneralInterface engine;
    // Followed: the start, White's move, the thinking engine, its move.
    FakeTransport transport{{request("follow_game"), move_request("E2", "E4"),
                             R"({"message_type":"engine_move","nodes":500})"},
                            "game",
                            4};
    uci::json::web::run_offline_game(engine, transport);
    const auto games = transport.of_type("game");
    REQUIRE(games.size() == 4);
    CHECK(games[0].at("played").empty());
    CHECK(games[1].at("played").size() == 1);
    CHECK(games[2].at("thinking") == true);
    CHECK(games[3].at("played").size() == 2);
    CHECK(games[3].at("turn") == "white");
    CHECK(transport.of_type("engine_move").size() == 1);
}

TEST_CASE("the page's game without a server is analysed", "[json][web]") {
    engine::GeneralInterface engine;
    FakeTransport transport{{request("start_analysis")}, "analysis", 2};
    uci::json::web::run_offline_game(engine, transport);
    CHECK(transport.of_type("analysis_started").size() == 1);
    CHECK(transport.of_type("analysis").front().at("ply") == 0);
}

TEST_CASE("a bad message does not end the page's game without a server", "[json][web]") {
    engine::GeneralInterface engine;
    FakeTransport transport{
        {"", "nonsense", move_request("E2", "E5"), request("follow_game")}, "game", 1};
    uci::json::web::run_offline_game(engine, transport);
    CHECK(transport.of_type("failure").size() == 3);
}

TEST_CASE("the page's game without a server goes on from its last record, with its clocks",
          "[json][web]") {
    engine::GeneralInterface engine;
    const std::string key = R"("key":"0123456789abcdef"})";
    const Lines lines{
        R"({"message_type":"clock","white_time":60000,"black_time":60000,"white_increment":1000})",
        R"({"message_type":"take_seat","player":"white",)" + key, move_request("E2", "E4"),
        move_request("E7", "E5"), request("follow_game")};
    FakeTransport before{lines, "game", 1};
    uci::json::web::run_offline_game(engine, before);
    const auto records = before.of_type("");
    REQUIRE(records.size() == 4);
    FakeTransport after{
        {records.back().dump(), request("follow_game"), move_request("D2", "D4"),
         R"({"message_type":"take_seat","player":"white",)" + key, move_request("D2", "D4")},
        "next_legal_moveset",
        1};
    engine::GeneralInterface other_engine;
    uci::json::web::run_offline_game(other_engine, after);
    const auto games = after.of_type("game");
    CHECK(games.at(0).at("played").dump() == R"(["e4","e5"])");
    CHECK(games[0].at("clock").at("runs") == "white");
    CHECK(games[0]["clock"].at("white_increment") == 1000);
    CHECK(games[0]["clock"].at("white_time") <= 60000);
    CHECK(after.of_type("failure").size() == 1);  // the move without the key
    CHECK(games.back().at("played").size() == 3);
}

TEST_CASE("a record that is none, or not the first message, changes nothing", "[json][web]") {
    engine::GeneralInterface engine;
    FakeTransport transport{{R"({"version":1,"moves":"e2e5"})", move_request("E2", "E4"),
                             R"({"version":1,"moves":"d2d4"})", request("follow_game")},
                            "game",
                            1};
    uci::json::web::run_offline_game(engine, transport);
    CHECK(transport.of_type("failure").size() == 2);
    CHECK(transport.of_type("game").front().at("played").dump() == R"(["e4"])");
}
