#include "uci/net/play/seats.hpp"

#include "tests/catch.hpp"

using core::Color;
using uci::net::play::Seats;
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

TEST_CASE("everybody may do everything as long as nobody has a seat", "[seats]") {
    const Seats seats;
    for (const auto& request : changes) {
        CHECK(seats.allow(request, Color::white, no_key));
        CHECK(seats.allow(request, Color::black, white_key));
    }
}

TEST_CASE("a seat is taken once, and again by its own key", "[seats]") {
    Seats seats;
    CHECK(seats.take(Color::white, white_key));
    CHECK(seats.is_taken(Color::white));
    CHECK_FALSE(seats.is_taken(Color::black));
    CHECK_FALSE(seats.take(Color::white, black_key));
    CHECK(seats.take(Color::white, white_key));
    CHECK(seats.take(Color::black, white_key));
}

TEST_CASE("a seat is left by its own key only", "[seats]") {
    Seats seats;
    seats.take(Color::white, white_key);
    CHECK_FALSE(seats.leave(Color::white, black_key));
    CHECK_FALSE(seats.leave(Color::white, no_key));
    CHECK_FALSE(seats.leave(Color::black, no_key));
    CHECK(seats.leave(Color::white, white_key));
    CHECK_FALSE(seats.is_taken(Color::white));
    CHECK_FALSE(seats.leave(Color::white, white_key));
}

TEST_CASE("who has a seat moves when it is that player's turn", "[seats]") {
    Seats seats;
    seats.take(Color::white, white_key);
    seats.take(Color::black, black_key);
    const json::Request move = json::PieceMove{e2, e4};
    CHECK(seats.allow(move, Color::white, white_key));
    CHECK_FALSE(seats.allow(move, Color::black, white_key));
    CHECK(seats.allow(move, Color::black, black_key));
    CHECK(seats.allow(json::Resignation{Color::white}, Color::black, white_key));
    CHECK_FALSE(seats.allow(json::Resignation{Color::black}, Color::black, white_key));
    CHECK(seats.allow(json::NewGame{}, Color::black, white_key));
}

TEST_CASE("a spectator may look and ask for hints", "[seats]") {
    Seats seats;
    seats.take(Color::white, white_key);
    seats.take(Color::black, black_key);
    for (const auto& request : changes) {
        CHECK_FALSE(seats.allow(request, Color::white, no_key));
        CHECK_FALSE(seats.allow(request, Color::black, "another key"));
    }
    CHECK(seats.allow(json::GetLegalMoveset{}, Color::white, no_key));
    CHECK(seats.allow(json::Hint{}, Color::white, no_key));
}

TEST_CASE("a seat that is free may be moved for", "[seats]") {
    Seats seats;
    seats.take(Color::white, white_key);
    CHECK(seats.allow(json::EngineMove{}, Color::black, no_key));
    CHECK_FALSE(seats.allow(json::NewGame{}, Color::black, no_key));
}
