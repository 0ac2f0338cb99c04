#include "uci/json/web/room_record.hpp"

#include <utility>
#include <vector>

#include "core/castling.hpp"
#include "core/fen.hpp"
#include "core/notation.hpp"
#include "core/text.hpp"

#include "uci/json/json_values.hpp"
#include "uci/json/request.hpp"
#include "uci/json/web/player_keys.hpp"
#include "uci/util/hex.hpp"
#include "uci/util/sha256.hpp"

namespace uci::json::web {

namespace {

using core::Error;
using core::Result;

/// A later version may give members another meaning. One that only adds members is no later
/// version.
constexpr std::int64_t record_version = 1;

std::int64_t milliseconds_of(WallTime time) {
    return time.time_since_epoch().count();
}

std::string moves_text(const core::Game& game) {
    std::string text;
    for (const core::Move move : game.moves())
        text += (text.empty() ? "" : " ") + to_uci(move, core::CastlingStyle::king_moves_two);
    return text;
}

Json limits_json(const engine::Limits& limits) {
    Json json = Json::object();
    if (limits.movetime)
        json["milliseconds"] = limits.movetime->count();
    if (limits.nodes)
        json["nodes"] = *limits.nodes;
    if (limits.depth)
        json["depth"] = *limits.depth;
    if (limits.elo)
        json["elo"] = *limits.elo;
    return json;
}

Json ending_json(const Ending& ending) {
    return {{"victor", ending.victor ? color_name(*ending.victor) : "draw"},
            {"reason", ending.reason}};
}

Json clock_json(const GameClockState& clock) {
    Json json = Json::object();
    for (const auto player : both_players) {
        const auto& [base, increment] = clock.control[index_of(player)];
        json[std::string{color_name(player)}] = {base.count(), increment.count()};
    }
    Json left = Json::array();
    for (const auto time : clock.left_after)
        left.push_back(time.count());
    json["left"] = std::move(left);
    json["used"] = clock.used.count();
    return json;
}

/// A member of that name; null when it is missing.
Json member(const Json& json, std::string_view name) {
    const auto found = json.is_object() ? json.find(std::string{name}) : json.end();
    return found == json.end() ? Json() : *found;
}

std::string text_in(const Json& json, std::string_view name) {
    const auto value = member(json, name);
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::optional<std::int64_t> number_in(const Json& json, std::string_view name) {
    const auto value = member(json, name);
    return value.is_number_integer() ? std::optional{value.get<std::int64_t>()} : std::nullopt;
}

WallTime time_in(const Json& json, std::string_view name) {
    return WallTime{std::chrono::milliseconds{number_in(json, name).value_or(0)}};
}

Result<core::Game> read_game(const Json& json) {
    core::Game game;
    if (const auto fen = text_in(json, "start_fen"); !fen.empty()) {
        const auto start = core::read_fen(fen);
        if (!start)
            return Error{"start_fen: " + start.reason()};
        game = core::Game{*start};
    }
    const auto text = text_in(json, "moves");
    std::vector<std::string> moves;
    core::Words words{text};
    while (const auto word = words.next())
        moves.emplace_back(*word);
    if (const auto played = game.play(moves); !played)
        return Error{"moves: " + played.reason()};
    return game;
}

/// A time that can be added to others; nothing if it is none.
std::optional<engine::Milliseconds> read_time(const Json& json) {
    constexpr engine::Milliseconds max_time = std::chrono::hours{24 * 365};
    if (!json.is_number_integer())
        return std::nullopt;
    const engine::Milliseconds time{json.get<std::int64_t>()};
    const bool is_in_range = time >= engine::Milliseconds{0} && time <= max_time;
    return is_in_range ? std::optional{time} : std::nullopt;
}

Result<GameClockState> read_clock(const Json& json, const core::Game& game) {
    GameClockState clock;
    clock.first = game.start().side_to_move();
    for (const auto player : both_players) {
        const auto times = member(json, color_name(player));
        const bool is_pair = times.is_array() && times.size() == 2;
        const auto base = is_pair ? read_time(times[0]) : std::nullopt;
        const auto increment = is_pair ? read_time(times[1]) : std::nullopt;
        if (!base || !increment)
            return Error{"clock: no times of " + std::string{color_name(player)}};
        clock.control[index_of(player)] = {*base, *increment};
    }
    const auto left = member(json, "left");
    if (!left.is_array() || left.size() != game.moves().size())
        return Error{"clock: not as many times left as moves"};
    for (const auto& item : left) {
        const auto time = read_time(item);
        if (!time)
            return Error{"clock: a time left is out of range"};
        clock.left_after.push_back(*time);
    }
    const auto used = read_time(member(json, "used"));
    if (!used)
        return Error{"clock: no time used"};
    clock.used = *used;
    return clock;
}

std::optional<PieceMove> read_promoting(const Json& json) {
    const auto squares = member(json, "promoting");
    const auto from = core::Square::read(core::lowercase(text_in(squares, "from")));
    const auto to = core::Square::read(core::lowercase(text_in(squares, "to")));
    return from && to ? std::optional{PieceMove{*from, *to}} : std::nullopt;
}

std::optional<Ending> read_ending(const Json& json) {
    const auto end = member(json, "end");
    if (!end.is_object())
        return std::nullopt;
    Ending ending{std::nullopt, text_in(end, "reason")};
    for (const auto player : both_players) {
        if (text_in(end, "victor") == color_name(player))
            ending.victor = player;
    }
    return ending;
}

/// The limits of a search are members of `engine_move`, and read as such.
Result<std::optional<engine::Limits>> read_search(const Json& json) {
    auto search = member(json, "search");
    if (!search.is_object())
        return std::optional<engine::Limits>{};
    search["message_type"] = "engine_move";
    const auto request = read_request(search.dump());
    const auto* const move = request ? std::get_if<EngineMove>(&*request) : nullptr;
    if (move == nullptr)
        return Error{"search: a limit is out of range"};
    return std::optional{move->limits};
}

}  // namespace

std::string write_room_record(const RoomRecord& record) {
    const auto& session = record.session;
    Json json = {{"version", record_version}, {"server", record.server}};
    json["revision"] = record.revision;
    json["created"] = milliseconds_of(record.created);
    json["changed"] = milliseconds_of(record.changed);
    json["active"] = milliseconds_of(record.active);
    if (const auto start = core::fen(session.game.start());
        start != core::fen(core::Position::start()))
        json["start_fen"] = start;
    json["moves"] = moves_text(session.game);
    if (session.games_before > 0)
        json["games_before"] = session.games_before;
    if (session.promoting)
        json["promoting"] = move_json(session.promoting->from, session.promoting->to);
    if (session.ending)
        json["end"] = ending_json(*session.ending);
    if (session.clock)
        json["clock"] = clock_json(*session.clock);
    if (record.time)
        json["time"] = record.time->count();
    if (record.search) {
        json["search"] = limits_json(*record.search);
        json["searcher"] = record.searcher;
    }
    if (record.rematches > 0)
        json["rematches"] = record.rematches;
    for (const auto player : both_players) {
        if (const auto& hash = record.seats[index_of(player)]; !hash.empty())
            json["seats"][std::string{color_name(player)}] = hash;
        if (const auto& name = record.names[index_of(player)]; !name.empty())
            json["names"][std::string{color_name(player)}] = name;
    }
    return json.dump();
}

std::string write_room_state(RoomRecord record) {
    if (record.session.clock)
        record.session.clock->used = engine::Milliseconds{0};
    record.created = record.changed = record.active = {};
    record.revision = 0;
    record.server.clear();
    record.time.reset();
    return write_room_record(record);
}

Result<RoomRecord> read_room_record(std::string_view text) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return Error{"the record is no JSON object"};
    const auto version = number_in(json, "version");
    if (version != record_version)
        return Error{version ? "the record has version " + std::to_string(*version)
                                   + ", but this Parley reads only version "
                                   + std::to_string(record_version)
                             : "the record has no version"};
    auto game = read_game(json);
    if (!game)
        return game.error();
    RoomRecord record;
    record.session = {*std::move(game),
                      static_cast<std::uint64_t>(number_in(json, "games_before").value_or(0)),
                      read_promoting(json),
                      read_ending(json),
                      false,
                      {}};
    if (const auto clock = member(json, "clock"); clock.is_object()) {
        auto read = read_clock(clock, record.session.game);
        if (!read)
            return read.error();
        record.session.clock = *std::move(read);
        record.session.clock->is_stopped = record.session.ending.has_value();
    }
    const auto search = read_search(json);
    if (!search)
        return search.error();
    record.search = *search;
    record.session.is_searching = record.search.has_value();
    for (const auto player : both_players) {
        record.seats[index_of(player)] = text_in(member(json, "seats"), color_name(player));
        record.names[index_of(player)] = text_in(member(json, "names"), color_name(player));
    }
    record.rematches = static_cast<int>(number_in(json, "rematches").value_or(0));
    record.created = time_in(json, "created");
    record.changed = time_in(json, "changed");
    record.active = time_in(json, "active");
    record.server = text_in(json, "server");
    record.revision = static_cast<std::uint64_t>(number_in(json, "revision").value_or(0));
    // Earlier versions only say who has stored the record.
    if (record.search)
        record.searcher =
            member(json, "searcher").is_string() ? text_in(json, "searcher") : record.server;
    if (const auto time = number_in(json, "time"); time && *time >= 0)
        record.time = engine::Milliseconds{*time};
    return record;
}

bool is_written_by(std::string_view text, std::string_view server) {
    const auto own = R"({"version":1,"server":")" + std::string{server} + '"';
    return text.starts_with(own);
}

std::string hash_of_key(std::string_view key) {
    return util::hex(util::sha256(key));
}

}  // namespace uci::json::web
