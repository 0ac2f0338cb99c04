#include "uci/json/web/player_keys.hpp"

#include "tests/catch.hpp"

using core::Color;
using uci::json::web::GameStage;
using uci::json::web::PlayerKeys;
namespace json = uci::json;

namespace {

const std::string white_key = "the key of White";
const std::string black_key = "the key of Black";

// What clients have.
const PlayerKeys::ClientKeys as_white{white_key, ""};
const PlayerKeys::ClientKeys as_black{"", black_key};
const PlayerKeys::ClientKeys as_both{white_key, black_key};
const PlayerKeys::ClientKeys as_nobody{};

const core::Square e2 = *core::Square::read("e2");
const core::Square e4 = *core::Square::read("e4");

const std::vector<json::Request> changes{json::PieceMove{e2, e4},
                                         json::PromotionChoice{core::PieceType::queen},
                                         json::EngineMove{},
                                         json::NewGame{},
                                         json::Resignation{Color::white},
                                         json::Timeout{Color::black}};

}  // namespace

TEST_CASE("everybody may do everything as long as no seat is taken", "[player_keys]") {
    const PlayerKeys keys;
    for (const auto& request : changes) {
        CHECK(keys.allow(request, {Color::white}, as_nobody));
        CHECK(keys.allow(request, {Color::black}, as_white));
    }
}

TEST_CASE("a seat is taken once, and again with its own key", "[player_keys]") {
    PlayerKeys keys;
    CHECK(keys.take_seat(Color::white, white_key));
    CHECK(keys.is_taken(Color::white));
    CHECK_FALSE(keys.is_taken(Color::black));
    CHECK_FALSE(keys.take_seat(Color::white, black_key));
    CHECK(keys.take_seat(Color::white, white_key));
    CHECK(keys.take_seat(Color::black, white_key));
}

TEST_CASE("players have the names that they gave last, and change places with them",
          "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key, "Ann");
    keys.take_seat(Color::black, black_key, "Bob");
    CHECK_FALSE(keys.take_seat(Color::black, white_key, "Eve"));
    keys.take_seat(Color::white, white_key, "Anna");
    CHECK(keys.names() == PlayerKeys::Names{"Anna", "Bob"});
    keys.swap();
    CHECK(keys.names() == PlayerKeys::Names{"Bob", "Anna"});
    keys.leave_seat(Color::black, as_white);
    CHECK(keys.names() == PlayerKeys::Names{"Bob", ""});
}

TEST_CASE("a seat is left only with its own key", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    CHECK_FALSE(keys.leave_seat(Color::white, as_black));
    CHECK_FALSE(keys.leave_seat(Color::white, as_nobody));
    CHECK_FALSE(keys.leave_seat(Color::black, as_nobody));
    CHECK(keys.leave_seat(Color::white, as_white));
    CHECK_FALSE(keys.is_taken(Color::white));
    CHECK_FALSE(keys.leave_seat(Color::white, as_white));
}

TEST_CASE("the owner of a side moves in that player's turn", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    keys.take_seat(Color::black, black_key);
    const json::Request move = json::PieceMove{e2, e4};
    CHECK(keys.allow(move, {Color::white}, as_white));
    CHECK_FALSE(keys.allow(move, {Color::black}, as_white));
    CHECK(keys.allow(move, {Color::black}, as_black));
    CHECK(keys.allow(json::Resignation{Color::white}, {Color::black}, as_white));
    CHECK_FALSE(keys.allow(json::Resignation{Color::black}, {Color::black}, as_white));
    CHECK_FALSE(keys.allow(json::NewGame{}, {Color::black}, as_white));
    CHECK_FALSE(keys.allow(json::TakeBack{}, {Color::black}, as_white));
}

TEST_CASE("a timeout ends the game only for the player who says so", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    // Opposite an empty seat, as against the engine, the only player may say so, and no spectator.
    CHECK(keys.allow(json::Timeout{Color::black}, {Color::black}, as_white));
    CHECK(keys.allow(json::TakeBack{}, {Color::black}, as_white));
    CHECK_FALSE(keys.allow(json::TakeBack{}, {Color::black}, as_nobody));
    CHECK_FALSE(keys.allow(json::Timeout{Color::black}, {Color::black}, as_nobody));
    CHECK_FALSE(keys.allow(json::Resignation{Color::black}, {Color::black}, as_nobody));
    keys.take_seat(Color::black, black_key);
    CHECK_FALSE(keys.allow(json::Timeout{Color::white}, {Color::white}, as_black));
    CHECK(keys.allow(json::Timeout{Color::black}, {Color::white}, as_black));
    CHECK(keys.allow(json::Timeout{Color::white}, {Color::white}, as_both));
}

TEST_CASE("two players begin a new game only after the end of the last one", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    CHECK(keys.allow(json::NewGame{}, {Color::white}, as_white));
    keys.take_seat(Color::black, black_key);
    CHECK_FALSE(keys.allow(json::NewGame{}, {Color::white}, as_white));
    CHECK_FALSE(keys.allow(json::NewGame{}, {Color::white}, as_black));
    CHECK(keys.allow(json::NewGame{}, {Color::white}, as_both));
    const GameStage over{Color::white, true};
    CHECK(keys.allow(json::NewGame{}, over, as_black));
    CHECK_FALSE(keys.allow(json::NewGame{}, over, as_nobody));
}

TEST_CASE("who has taken both seats with two keys moves for both", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    keys.take_seat(Color::black, black_key);
    const json::Request move = json::PieceMove{e2, e4};
    CHECK(keys.allow(move, {Color::white}, as_both));
    CHECK(keys.allow(move, {Color::black}, as_both));
    CHECK(keys.leave_seat(Color::white, as_both));
    CHECK(keys.leave_seat(Color::black, as_both));
}

TEST_CASE("one key may take both seats", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    keys.take_seat(Color::black, white_key);
    CHECK(keys.allow(json::PieceMove{e2, e4}, {Color::black}, as_white));
    CHECK(keys.leave_seat(Color::black, as_white));
}

TEST_CASE("a spectator may read the state, but not ask for hints or tables", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    keys.take_seat(Color::black, black_key);
    for (const auto& request : changes) {
        CHECK_FALSE(keys.allow(request, {Color::white}, as_nobody));
        CHECK_FALSE(keys.allow(request, {Color::black}, {"another key", "x"}));
    }
    CHECK(keys.allow(json::GetLegalMoveset{}, {Color::white}, as_nobody));
    CHECK_FALSE(keys.allow(json::Hint{}, {Color::white}, as_nobody));
    CHECK(keys.allow(json::Hint{}, {Color::white}, as_black));
    CHECK_FALSE(keys.allow(json::Tablebase{}, {Color::white}, as_nobody));
    CHECK(keys.allow(json::Tablebase{}, {Color::white}, as_black));
}

TEST_CASE("anybody may move for a player whose seat is not taken", "[player_keys]") {
    PlayerKeys keys;
    keys.take_seat(Color::white, white_key);
    CHECK(keys.allow(json::EngineMove{}, {Color::black}, as_nobody));
    CHECK_FALSE(keys.allow(json::NewGame{}, {Color::black}, as_nobody));
}
