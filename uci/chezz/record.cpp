#include "uci/chezz/record.hpp"

#include <nlohmann/json.hpp>

#include "uci/chezz/base64.hpp"
#include "uci/chezz/decode.hpp"
#include "uci/chezz/encode.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Error;
using core::Result;
// Keeps the keys in the order in which they were written down.
using Json = nlohmann::ordered_json;

constexpr const char* engine_time_key = "EngineTime";
constexpr const char* resigned_key = "Resigned";
constexpr const char* draw_claimed_key = "DrawClaimed";
constexpr std::int64_t longest_engine_time = 3'600'000;

std::int64_t number_of(const std::optional<UserId>& user) {
    return user ? number(*user) : 0;
}

/// A whole number under a key, or nothing.
std::optional<std::int64_t> number_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

/// Who sits where a number of a user stands; nobody for 0.
std::optional<UserId> seated(std::int64_t number) {
    return number == 0 ? std::nullopt : std::optional{UserId{number}};
}

void read_extras(const Json& json, Table& table) {
    const auto time = number_at(json, engine_time_key);
    if (time && *time > 0 && *time <= longest_engine_time)
        table.engine_time = std::chrono::milliseconds{*time};
    const auto resigned = number_at(json, resigned_key);
    if (resigned && *resigned >= 0 && *resigned <= 1)
        table.resigned = *resigned == 0 ? Color::white : Color::black;
    table.draw_claimed = number_at(json, draw_claimed_key) == 1;
}

Result<core::Game> read_game(const Json& json) {
    const auto state = json.find("GameState");
    if (state == json.end() || !state->is_string())
        return Error{"the record has no GameState"};
    const auto bytes = read_base64(state->get_ref<const std::string&>());
    if (!bytes)
        return bytes.error();
    const auto decoded = decode(*bytes);
    if (!decoded)
        return decoded.error();
    // Before it had version numbers, chezz-back kept the board upside down.
    if (decoded->form == Form::front_end)
        return Error{"the record's state has no version"};
    return decoded->game;
}

}  // namespace

std::string game_record(const Table& table) {
    const auto state = encode(table.game, Form::server);
    Json json{{"GameState", base64(*state)},
              {"WhitePlayer", number_of(table.seat(Color::white))},
              {"BlackPlayer", number_of(table.seat(Color::black))},
              {"GameId", number(table.id)}};
    if (table.engine_time)
        json[engine_time_key] = table.engine_time->count();
    if (table.resigned)
        json[resigned_key] = core::index_of(*table.resigned);
    if (table.draw_claimed)
        json[draw_claimed_key] = 1;
    return json.dump();
}

Result<Table> read_game_record(std::string_view text) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"the record is no JSON object"};
    const auto white = number_at(json, "WhitePlayer");
    const auto black = number_at(json, "BlackPlayer");
    const auto id = number_at(json, "GameId");
    if (!white || !black || !id)
        return Error{"the record lacks a player or the game's number"};
    const auto game = read_game(json);
    if (!game)
        return game.error();
    Table table;
    table.id = GameId{*id};
    table.game = *game;
    table.seats = {seated(*white), seated(*black)};
    read_extras(json, table);
    return table;
}

std::string session_record(const std::string& session, UserId user) {
    return Json{{"Data", Json::object()}, {"SessionId", session}, {"UserId", number(user)}}.dump();
}

Result<UserId> read_session_record(std::string_view text) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"the record is no JSON object"};
    const auto user = number_at(json, "UserId");
    if (!user || *user <= number(engine_user))
        return Error{"the record names no user"};
    return UserId{*user};
}

std::string game_key(GameId id) {
    Bytes bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(number(id) >> shift));
    return "game.{" + unpadded_base64(bytes) + "}";
}

std::string session_key(const std::string& session) {
    return "session." + session;
}

}  // namespace uci::chezz
