#include "uci/chezz/record.hpp"

#include <nlohmann/json.hpp>

#include "engine/strength_level.hpp"

#include "uci/chezz/codec/decode.hpp"
#include "uci/chezz/codec/encode.hpp"
#include "uci/util/base64.hpp"

namespace uci::chezz {

namespace {

using core::Color;
using core::Error;
using core::Result;
// Ordered: chezz-back's records have a fixed order of keys.
using Json = nlohmann::ordered_json;

constexpr const char* engine_time_key = "EngineTime";
constexpr const char* engine_elo_key = "EngineElo";
constexpr const char* resigned_key = "Resigned";
constexpr const char* draw_claimed_key = "DrawClaimed";
constexpr std::int64_t max_engine_time = 3'600'000;

std::int64_t number_of(const std::optional<UserId>& user) {
    return user ? number(*user) : 0;
}

/// The integer under a key, if there is one.
std::optional<std::int64_t> number_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer())
        return std::nullopt;
    return found->get<std::int64_t>();
}

/// The player whom a record names by number; 0 is a free seat.
std::optional<UserId> player_of(std::int64_t number) {
    return number == 0 ? std::nullopt : std::optional{UserId{number}};
}

void read_extras(const Json& json, GameState& state) {
    const auto time = number_at(json, engine_time_key);
    if (time && *time > 0 && *time <= max_engine_time)
        state.engine_time = std::chrono::milliseconds{*time};
    const auto elo = number_at(json, engine_elo_key);
    if (elo && *elo >= engine::min_elo && *elo <= engine::max_elo)
        state.engine_elo = static_cast<int>(*elo);
    const auto resigned = number_at(json, resigned_key);
    if (resigned && *resigned >= 0 && *resigned <= 1)
        state.resigned = *resigned == 0 ? Color::white : Color::black;
    state.draw_claimed = number_at(json, draw_claimed_key) == 1;
}

Result<core::Game> read_game(const Json& json) {
    const auto text = json.find("GameState");
    if (text == json.end() || !text->is_string())
        return Error{"the record has no GameState"};
    const auto bytes = util::read_base64(text->get_ref<const std::string&>());
    if (!bytes)
        return bytes.error();
    const auto decoded = codec::decode(*bytes);
    if (!decoded)
        return decoded.error();
    // chezz-back had no version number while it stored the board upside down.
    if (decoded->format == codec::StateFormat::front_end)
        return Error{"the record's state has no version"};
    return decoded->game;
}

}  // namespace

std::string game_record(const GameState& state) {
    const auto text = codec::encode(state.game, codec::StateFormat::server);
    Json json{{"GameState", util::base64(*text)},
              {"WhitePlayer", number_of(state.seat(Color::white))},
              {"BlackPlayer", number_of(state.seat(Color::black))},
              {"GameId", number(state.id)}};
    if (state.engine_time)
        json[engine_time_key] = state.engine_time->count();
    if (state.engine_elo)
        json[engine_elo_key] = *state.engine_elo;
    if (state.resigned)
        json[resigned_key] = core::index_of(*state.resigned);
    if (state.draw_claimed)
        json[draw_claimed_key] = 1;
    return json.dump();
}

Result<GameState> read_game_record(std::string_view text) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"the record is not a JSON object"};
    const auto white = number_at(json, "WhitePlayer");
    const auto black = number_at(json, "BlackPlayer");
    const auto id = number_at(json, "GameId");
    if (!white || !black || !id)
        return Error{"the record lacks a player or the game's number"};
    const auto game = read_game(json);
    if (!game)
        return game.error();
    GameState state;
    state.id = GameId{*id};
    state.game = *game;
    state.seats = {player_of(*white), player_of(*black)};
    read_extras(json, state);
    return state;
}

std::optional<StoredGame> read_stored_game(const std::optional<std::string>& record,
                                           const std::optional<std::string>& known_record) {
    if (!record)
        return std::nullopt;
    if (record == known_record)
        return StoredGame{*record};
    auto state = read_game_record(*record);
    if (!state)
        return std::nullopt;
    return StoredGame{*record, std::move(*state)};
}

std::string session_record(const std::string& session, UserId user) {
    return Json{{"Data", Json::object()}, {"SessionId", session}, {"UserId", number(user)}}.dump();
}

Result<UserId> read_session_record(std::string_view text) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"the record is not a JSON object"};
    const auto user = number_at(json, "UserId");
    if (!user || *user <= number(engine_user))
        return Error{"the record names no user"};
    return UserId{*user};
}

std::string game_key(GameId id) {
    codec::Bytes bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(number(id) >> shift));
    return "game.{" + util::unpadded_base64(bytes) + "}";
}

std::string session_key(const std::string& session) {
    return "session." + session;
}

}  // namespace uci::chezz
