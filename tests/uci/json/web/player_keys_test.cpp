#include "uci/json/web/player_keys.hpp"

#include "tests/catch.hpp"

using core::Color;
using uci::json::web::PlayerKeys;
namespace json = uci::json;

namespace {

const std::string white_key = "the key of White";
const std::string black_key = "the key of Black";
const std::string no_key;

const core::Square e2 = *core::Square::read("e2");
const core::Square e4 = *core::Square::read("e4");

const std::vector<json::Request> changes{json::PieceMove{e2, e4},
                                         json::PromotionChoice{core::PieceType::queen},
                                         json::EngineMove{},
                                         json::NewGame{},
                                         json::Resignation{Color::white},
                                         json::Timeout{Color::black}};

}  // namespace

TEST_CASE("everybody may do everything as long as no side is claimed", "[player_keys]") {
    const PlayerKeys keys;
    for (const auto& request : changes) {
        CHECK(keys.allow(request, Color::white, no_key));
        CHECK(keys.allow(request, Color::black, white_key));
    }
}

TEST_CASE("a side is claimed once, and again with its own key", "[player_keys]") {
    PlayerKeys keys;
    CHECK(keys.claim(Color::white, white_key));
    CHECK(keys.is_claimed(Color::white));
    CHECK_FALSE(keys.is_claimed(Color::black));
    CHECK_FALSE(keys.claim(Color::white, black_key));
    CHECK(keys.claim(Color::white, white_key));
    CHECK(keys.claim(Color::black, white_key));
}

TEST_CASE("a side is released only with its own key", "[player_keys]") {
    PlayerKeys keys;
    keys.claim(Color::white, white_key);
    CHECK_FALSE(keys.release(Color::white, black_key));
    CHECK_FALSE(keys.release(Color::white, no_key));
    CHECK_FALSE(keys.release(Color::black, no_key));
    CHECK(keys.release(Color::white, white_key));
    CHECK_FALSE(keys.is_claimed(Color::white));
    CHECK_FALSE(keys.release(Color::white, white_key));
}

TEST_CASE("the owner of a side moves in that player's turn", "[player_keys]") {
    PlayerKeys keys;
    keys.claim(Color::white, white_key);
    keys.claim(Color::black, black_key);
    const json::Request move = json::PieceMove{e2, e4};
    CHECK(keys.allow(move, Color::white, white_key));
    CHECK_FALSE(keys.allow(move, Color::black, white_key));
    CHECK(keys.allow(move, Color::black, black_key));
    CHECK(keys.allow(json::Resignation{Color::white}, Color::black, white_key));
    CHECK_FALSE(keys.allow(json::Resignation{Color::black}, Color::black, white_key));
    CHECK(keys.allow(json::NewGame{}, Color::black, white_key));
}

TEST_CASE("a spectator may read the state and ask for hints", "[player_keys]") {
    PlayerKeys keys;
    keys.claim(Color::white, white_key);
    keys.claim(Color::black, black_key);
    for (const auto& request : changes) {
        CHECK_FALSE(keys.allow(request, Color::white, no_key));
        CHECK_FALSE(keys.allow(request, Color::black, "another key"));
    }
    CHECK(keys.allow(json::GetLegalMoveset{}, Color::white, no_key));
    CHECK(keys.allow(json::Hint{}, Color::white, no_key));
}

TEST_CASE("anybody may move for a side that is not claimed", "[player_keys]") {
    PlayerKeys keys;
    keys.claim(Color::white, white_key);
    CHECK(keys.allow(json::EngineMove{}, Color::black, no_key));
    CHECK_FALSE(keys.allow(json::NewGame{}, Color::black, no_key));
}
