#include "uci/net/chezz_site.hpp"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/chezz/message.hpp"
#include "uci/chezz/record.hpp"
#include "uci/net/chezz_guest.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;
using chezz::GameId;
using chezz::Limits;
using chezz::Table;
using chezz::UserId;
using core::Color;
using core::Result;

constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* text_type = "text/plain; charset=utf-8";
constexpr const char* bare_text_type = "text/plain";

constexpr std::string_view game_path{"/game/"};
constexpr std::string_view play_path{"/play/"};
/// The store is asked for it to see whether it answers.
constexpr GameId any_game{1};
constexpr int most_attempts = 4;

/// What stands behind a prefix, if it is one part of a path.
std::optional<std::string> part_behind(std::string_view prefix, const std::string& path) {
    if (!path.starts_with(prefix))
        return std::nullopt;
    std::string rest = path.substr(prefix.size());
    if (rest.empty() || rest.find('/') != std::string::npos)
        return std::nullopt;
    return rest;
}

/// The game's number as it stands in a path that has one.
std::string named_game(const Target& target) {
    return target.path.substr(game_path.size());
}

static_assert(game_path.size() == play_path.size());

HttpResponse response_of(int status, const char* type, std::string body) {
    HttpResponse response{static_cast<http::status>(status), 11};
    response.set(http::field::content_type, type);
    response.body() = std::move(body);
    return response;
}

/// What is wrong with the way in which a request asks for a WebSocket.
std::optional<std::string_view> fault_of_upgrade(const HttpRequest& request) {
    constexpr std::size_t size_of_key = 24;
    if (!boost::beast::websocket::is_upgrade(request))
        return "Upgrade";
    if (request[http::field::sec_websocket_version] != "13")
        return "Sec-WebSocket-Version";
    if (request[http::field::sec_websocket_key].size() != size_of_key)
        return "Sec-WebSocket-Key";
    return std::nullopt;
}

bool wants_black(const Target& target) {
    const auto value = target.value("is_black");
    return value == "true" || value == "1" || value == "yes";
}

}  // namespace

ChezzSite::ChezzSite(boost::asio::any_io_executor executor,
                     StoreDesk& desk,
                     chezz::EngineQueue& engine,
                     chezz::Rules rules,
                     std::string allowed_origin)
    : executor_{std::move(executor)},
      desk_{desk},
      engine_{engine},
      rules_{rules},
      allowed_origin_{std::move(allowed_origin)},
      sessions_{desk} {}

/// A room and its guests hold each other.
ChezzSite::~ChezzSite() {
    for (const auto& room : all_rooms())
        room->close();
}

void ChezzSite::answer(const HttpRequest& request, Respond respond) {
    take(std::make_shared<Exchange>(Exchange{request, {}, {}, {}, {}, std::move(respond), {}}));
}

void ChezzSite::upgrade(const HttpRequest& request, Decide decide) {
    take(std::make_shared<Exchange>(
        Exchange{request,
                 {},
                 {},
                 {},
                 {},
                 [decide](HttpResponse refusal) { decide(std::move(refusal)); },
                 decide}));
}

ChezzSite::Route ChezzSite::route_of(const HttpRequest& request, const Target& target) {
    const bool get = request.method() == http::verb::get;
    if (get && target.path == "/health")
        return Route::health;
    if (get && target.path == "/test")
        return Route::test;
    if (request.method() == http::verb::post && target.path == "/game")
        return Route::create;
    if (get && part_behind(game_path, target.path))
        return Route::game;
    return get && part_behind(play_path, target.path) ? Route::play : Route::none;
}

void ChezzSite::take(const Shared& exchange) {
    const auto& request = exchange->request;
    exchange->origin = judge_origin(request, allowed_origin_, local_only_);
    if (exchange->origin == OriginVerdict::forbidden
        || exchange->origin == OriginVerdict::preflight)
        return exchange->respond(answer_to_origin(exchange->origin, allowed_origin_));
    exchange->target = read_target({request.target().data(), request.target().size()});
    exchange->route = route_of(request, exchange->target);
    if (exchange->route == Route::none)
        return respond(exchange, response_of(404, bare_text_type, "404 page not found"));
    sessions_.recognise(request, [this, exchange](const Result<Visitor>& visitor) {
        if (!visitor)
            return fail(exchange);
        exchange->visitor = *visitor;
        route(exchange);
    });
}

void ChezzSite::route(const Shared& exchange) {
    switch (exchange->route) {
        case Route::health: return check_health(exchange);
        case Route::test: return respond_with_text(exchange, 200, "hola");
        case Route::create: return create(exchange);
        default: return find_game(exchange);
    }
}

void ChezzSite::respond(const Shared& exchange, HttpResponse response) const {
    add_origin_headers(response, exchange->origin, allowed_origin_);
    if (!exchange->visitor.session.empty())
        response.set(http::field::set_cookie, session_cookie(exchange->visitor, exchange->request));
    exchange->respond(std::move(response));
}

void ChezzSite::respond_with_json(const Shared& exchange, int status, std::string body) const {
    respond(exchange, response_of(status, json_type, std::move(body)));
}

void ChezzSite::respond_with_text(const Shared& exchange, int status, std::string body) const {
    respond(exchange, response_of(status, text_type, std::move(body)));
}

/// The store cannot be reached. No cookie goes out: nobody knows whose it would replace.
void ChezzSite::fail(const Shared& exchange) const {
    exchange->visitor = {};
    respond_with_json(exchange, 503,
                      chezz::error_body("The store of games cannot be reached.", 503));
}

void ChezzSite::check_health(const Shared& exchange) {
    desk_.ask<std::optional<std::string>>(
        [](store::Store& store) { return store.find_game(any_game); },
        [this, exchange](const Found& found) {
            if (found)
                respond_with_json(exchange, 200, "\"writing test\"");
            else
                fail(exchange);
        });
}

void ChezzSite::create(const Shared& exchange) {
    const auto& target = exchange->target;
    const Color color = wants_black(target) ? Color::black : Color::white;
    Table table = chezz::new_table(GameId{}, exchange->visitor.user, color);
    const auto opponent = target.value("opponent").value_or("");
    if (opponent == "engine") {
        const auto text = target.value("movetime").value_or(std::to_string(Limits::usual_movetime));
        const auto time = core::read_integer(text);
        if (!time || *time < Limits::shortest_movetime || *time > Limits::longest_movetime)
            return respond_with_json(
                exchange, 400,
                chezz::error_body(fmt::format("movetime is milliseconds, from {} to {}.",
                                              Limits::shortest_movetime, Limits::longest_movetime),
                                  400));
        if (engine_.is_full())
            return respond_with_json(exchange, 503,
                                     chezz::error_body("Too many games wait for the engine.", 503));
        table.seat(~color) = chezz::engine_user;
        table.engine_time = std::chrono::milliseconds{*time};
    }
    else if (!opponent.empty()) {
        return respond_with_json(exchange, 400,
                                 chezz::error_body("The only opponent to ask for is engine.", 400));
    }
    add(exchange, table);
}

/// Stores a new game and the session of its maker.
void ChezzSite::add(const Shared& exchange, const Table& table) {
    std::vector<GameId> ids;
    for (int i = 0; i < most_attempts; ++i)
        ids.push_back(GameId{sessions_.new_number()});
    const auto work = [ids, table,
                       visitor = exchange->visitor](store::Store& store) -> Result<GameId> {
        if (const auto error = keep(store, visitor))
            return *error;
        Table numbered = table;
        for (const GameId id : ids) {
            numbered.id = id;
            const auto added = store.add_game(id, game_record(numbered));
            if (!added)
                return added.error();
            if (*added)
                return id;
        }
        return core::Error{"no number is free"};
    };
    desk_.ask<GameId>(work, [this, exchange](const Result<GameId>& id) {
        if (!id)
            return fail(exchange);
        sessions_.note_stored(exchange->visitor);
        respond_with_json(exchange, 201, chezz::created_body(*id));
    });
}

/// For the routes that are about one game.
void ChezzSite::find_game(const Shared& exchange) {
    const auto name = named_game(exchange->target);
    const auto take = [this, exchange, name](const Found& found) {
        if (!found)
            return fail(exchange);
        const auto table =
            *found ? chezz::read_game_record(**found) : Result<Table>{core::Error{""}};
        if (!table)
            return respond_with_json(exchange, 404, chezz::unknown_game_body(name));
        if (exchange->route == Route::game)
            return show(exchange, *table);
        if (const auto fault = fault_of_upgrade(exchange->request))
            return respond_with_text(exchange, 400,
                                     fmt::format("handshake error: bad \"{}\" header", *fault));
        open_socket(exchange, *table);
    };
    const auto id = chezz::read_game_id(name);
    if (!id)
        return take(std::optional<std::string>{});
    desk_.ask<std::optional<std::string>>(
        [id = *id](store::Store& store) { return store.find_game(id); }, take);
}

void ChezzSite::show(const Shared& exchange, const Table& table) {
    const auto user = exchange->visitor.user;
    note_plies_seen(user, table.id, table.game.moves().size());
    respond_with_json(exchange, 200,
                      chezz::game_body(table, rules_, chezz::relation_of(table, user)));
}

/// Who may be given a seat must be known again later.
void ChezzSite::open_socket(const Shared& exchange, const Table& table) {
    if (!chezz::has_free_seat(table))
        return let_in(exchange, table, false);
    desk_.ask<bool>(
        [visitor = exchange->visitor](store::Store& store) -> Result<bool> {
            if (const auto error = keep(store, visitor))
                return *error;
            return true;
        },
        [this, exchange, table](const Result<bool>& kept) {
            if (!kept)
                return fail(exchange);
            sessions_.note_stored(exchange->visitor);
            let_in(exchange, table, exchange->visitor.is_new);
        });
}

void ChezzSite::let_in(const Shared& exchange, const Table& table, bool with_cookie) {
    const auto cookie =
        with_cookie ? session_cookie(exchange->visitor, exchange->request) : std::string{};
    exchange->decide(
        std::make_shared<ChezzGuest>(executor_, room(table.id), exchange->visitor.user, cookie));
}

std::shared_ptr<chezz::Room> ChezzSite::room(GameId id) {
    auto& entry = rooms_[id];
    auto room = entry.lock();
    if (!room) {
        chezz::RoomHost& host = *this;
        room = std::make_shared<chezz::Room>(host, id);
        entry = room;
    }
    return room;
}

void ChezzSite::look(GameId id) {
    const auto found = rooms_.find(id);
    if (found == rooms_.end())
        return;
    if (const auto room = found->second.lock())
        room->look();
}

std::vector<std::shared_ptr<chezz::Room>> ChezzSite::all_rooms() const {
    std::vector<std::shared_ptr<chezz::Room>> rooms;
    for (const auto& [id, entry] : rooms_) {
        if (auto room = entry.lock())
            rooms.push_back(std::move(room));
    }
    return rooms;
}

void ChezzSite::look_at_all() {
    for (const auto& room : all_rooms())
        room->look();
}

void ChezzSite::dismiss_all() {
    for (const auto& room : all_rooms())
        room->dismiss_all();
}

void ChezzSite::clear_away() {
    std::erase_if(rooms_, [](const auto& item) { return item.second.expired(); });
    desk_.ask<bool>(
        [](store::Store& store) -> Result<bool> {
            store.clear_away();
            return true;
        },
        [](const Result<bool>&) {});
}

void ChezzSite::find(GameId id, RoomHost::Found found) {
    desk_.ask<std::optional<std::string>>([id](store::Store& store) { return store.find_game(id); },
                                          std::move(found));
}

void ChezzSite::replace(GameId id, std::string before, std::string after, Replaced done) {
    desk_.ask<bool>([id, before = std::move(before), after = std::move(after)](
                        store::Store& store) { return store.replace_game(id, before, after); },
                    std::move(done));
}

bool ChezzSite::think(const Table& table, Thought thought) {
    constexpr std::chrono::milliseconds usual{Limits::usual_movetime};
    return engine_.ask(table.game, table.engine_time.value_or(usual), std::move(thought));
}

std::optional<std::size_t> ChezzSite::plies_seen(UserId user, GameId id) {
    return views_.find({user, id});
}

void ChezzSite::note_plies_seen(UserId user, GameId id, std::size_t plies) {
    views_.set({user, id}, plies);
}

}  // namespace uci::net
