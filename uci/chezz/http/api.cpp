#include "uci/chezz/http/api.hpp"

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/strength_level.hpp"

#include "uci/chezz/http/client.hpp"
#include "uci/chezz/messages.hpp"
#include "uci/chezz/record.hpp"

namespace uci::chezz::http {

namespace {

namespace beast_http = boost::beast::http;
using core::Color;
using core::Result;

constexpr const char* json_type = "application/json; charset=utf-8";
constexpr const char* text_type = "text/plain; charset=utf-8";
constexpr const char* bare_text_type = "text/plain";

constexpr std::string_view game_path{"/game/"};
constexpr std::string_view play_path{"/play/"};
// Reading it shows whether the store answers.
constexpr GameId any_game{1};
constexpr int max_id_attempts = 4;

/// The rest of a path behind a prefix, if it is a single segment.
std::optional<std::string> segment_after(std::string_view prefix, const std::string& path) {
    if (!path.starts_with(prefix))
        return std::nullopt;
    std::string rest = path.substr(prefix.size());
    if (rest.empty() || rest.find('/') != std::string::npos)
        return std::nullopt;
    return rest;
}

/// The text of the game's number in the path of a game or play route.
std::string game_segment(const net::Url& target) {
    return target.path.substr(game_path.size());
}

static_assert(game_path.size() == play_path.size());

net::HttpResponse response_of(int status, const char* type, std::string body) {
    net::HttpResponse response{static_cast<beast_http::status>(status), 11};
    response.set(beast_http::field::content_type, type);
    response.body() = std::move(body);
    return response;
}

/// The name of the header that is wrong in a WebSocket's opening handshake, if any.
std::optional<std::string_view> validate_upgrade(const net::HttpRequest& request) {
    constexpr std::size_t key_size = 24;
    if (!boost::beast::websocket::is_upgrade(request))
        return "Upgrade";
    if (request[beast_http::field::sec_websocket_version] != "13")
        return "Sec-WebSocket-Version";
    if (request[beast_http::field::sec_websocket_key].size() != key_size)
        return "Sec-WebSocket-Key";
    return std::nullopt;
}

bool wants_black(const net::Url& target) {
    const auto value = target.value("is_black");
    return value == "true" || value == "1" || value == "yes";
}

}  // namespace

Api::Api(boost::asio::any_io_executor executor,
         store::AsyncStore& store,
         server::SearchQueue& queue,
         Rules rules,
         net::Cors cors)
    : executor_{std::move(executor)},
      store_{store},
      queue_{queue},
      rules_{rules},
      cors_{std::move(cors)},
      sessions_{store},
      store_retry_timer_{executor_} {}

// Breaks the reference cycle between a room and its clients.
Api::~Api() {
    for (const auto& room : all_rooms())
        room->close();
}

void Api::handle(const net::HttpRequest& request, Respond respond) {
    dispatch(std::make_shared<RequestContext>(
        RequestContext{request, {}, {}, {}, {}, std::move(respond), {}, store_.deadline()}));
}

void Api::upgrade(const net::HttpRequest& request, Decide decide) {
    dispatch(std::make_shared<RequestContext>(
        RequestContext{request,
                       {},
                       {},
                       {},
                       {},
                       [decide](net::HttpResponse rejection) { decide(std::move(rejection)); },
                       decide,
                       store_.deadline()}));
}

Api::Route Api::route_of(const net::HttpRequest& request, const net::Url& target) {
    const bool get = request.method() == beast_http::verb::get;
    if (get && target.path == "/health")
        return Route::health;
    if (get && target.path == "/test")
        return Route::test;
    if (request.method() == beast_http::verb::post && target.path == "/game")
        return Route::create;
    if (get && segment_after(game_path, target.path))
        return Route::game;
    return get && segment_after(play_path, target.path) ? Route::play : Route::none;
}

void Api::dispatch(const Context& context) {
    const auto& request = context->request;
    const auto checked = cors_.check(request);
    if (!checked)
        return context->respond(
            response_of(403, text_type, "Forbidden: " + checked.reason() + ".\n"));
    context->cors = *checked;
    if (context->cors == net::CorsResult::forbidden_origin
        || context->cors == net::CorsResult::preflight)
        return context->respond(net::cors_response(context->cors, request));
    context->target = net::parse_url({request.target().data(), request.target().size()});
    context->route = route_of(request, context->target);
    if (context->route == Route::none)
        return respond(context, response_of(404, bare_text_type, "404 page not found"));
    sessions_.authenticate(request, context->deadline,
                           [this, context](const Result<Session>& session) {
                               if (!session)
                                   return respond_unavailable(context);
                               context->session = *session;
                               route(context);
                           });
}

void Api::route(const Context& context) {
    switch (context->route) {
        case Route::health: return respond_health(context);
        case Route::test: return respond_with_text(context, 200, "hola");
        case Route::create: return create_game(context);
        case Route::game:
        case Route::play: return handle_game_route(context);
        case Route::none: break;  // dispatch() has answered it
    }
}

void Api::respond(const Context& context, net::HttpResponse response) const {
    net::add_cors_headers(response, context->cors, context->request);
    if (!context->session.id.empty())
        response.set(beast_http::field::set_cookie, cookie_for(context));
    context->respond(std::move(response));
}

std::string Api::cookie_for(const Context& context) const {
    const auto& request = context->request;
    // Every client is believed, as by chezz-back: a false value only affects its own cookie.
    const bool is_https = request["X-Forwarded-Proto"] == "https"
                       || cors_.same_origin().is_https_host(net::request_origin(request).host);
    return session_cookie(context->session, is_https);
}

void Api::respond_with_json(const Context& context, int status, std::string body) const {
    respond(context, response_of(status, json_type, std::move(body)));
}

void Api::respond_with_text(const Context& context, int status, std::string body) const {
    respond(context, response_of(status, text_type, std::move(body)));
}

// Sends no cookie: it might replace that of a session which the store knows.
void Api::respond_unavailable(const Context& context) const {
    context->session = {};
    respond_with_json(context, 503, error_body("The store of games cannot be reached.", 503));
}

void Api::respond_health(const Context& context) {
    const auto respond_with = [this, context](const std::optional<core::Error>& error) {
        if (error)
            respond_unavailable(context);
        else
            respond_with_json(context, 200, "\"writing test\"");
    };
    check_store(respond_with, context->deadline);
}

void Api::create_game(const Context& context) {
    const auto& target = context->target;
    const Color color = wants_black(target) ? Color::black : Color::white;
    GameState state = new_game_state(GameId{}, context->session.user, color);
    const auto opponent = target.value("opponent").value_or("");
    if (opponent == "engine") {
        const auto text =
            target.value("movetime").value_or(std::to_string(Limits::default_movetime));
        const auto time = core::read_integer(text);
        if (!time || *time < Limits::min_movetime || *time > Limits::max_movetime)
            return respond_with_json(
                context, 400,
                error_body(fmt::format("movetime is milliseconds, from {} to {}.",
                                       Limits::min_movetime, Limits::max_movetime),
                           400));
        const auto elo_text = target.value("elo");
        const auto elo = elo_text ? core::read_integer(*elo_text) : std::nullopt;
        if (elo_text && (!elo || *elo < engine::min_elo || *elo > engine::max_elo))
            return respond_with_json(context, 400,
                                     error_body(fmt::format("elo is a number from {} to {}.",
                                                            engine::min_elo, engine::max_elo),
                                                400));
        if (queue_.is_full(server::Priority::player, net::client_key(context->request.client)))
            return respond_with_json(context, 503,
                                     error_body("Too many games wait for the engine.", 503));
        state.engine_elo = elo ? std::optional{static_cast<int>(*elo)} : std::nullopt;
        state.seat(~color) = engine_user;
        state.engine_time = std::chrono::milliseconds{*time};
    }
    else if (!opponent.empty()) {
        return respond_with_json(context, 400,
                                 error_body("The only opponent to ask for is engine.", 400));
    }
    const auto client = net::client_key(context->request.client);
    if (!new_games_.allow(client, std::chrono::steady_clock::now()))
        return respond_with_json(context, 429, error_body("Too many new games.", 429));
    store_new_game(context, state);
}

/// Stores a new game and the session of its first player.
void Api::store_new_game(const Context& context, const GameState& state) {
    std::vector<GameId> ids;
    ids.reserve(max_id_attempts);
    for (int i = 0; i < max_id_attempts; ++i)
        ids.push_back(GameId{sessions_.new_id()});
    const auto work = [ids, state,
                       session = context->session](store::Store& store) -> Result<GameId> {
        if (const auto error = persist(store, session))
            return *error;
        GameState numbered = state;
        for (const GameId id : ids) {
            numbered.id = id;
            const auto added = store.add_game(number(id), game_record(numbered));
            if (!added)
                return added.error();
            if (*added)
                return id;
        }
        return core::Error{"no number is free"};
    };
    store_.submit_change<GameId>(
        work,
        [this, context](const Result<GameId>& id) {
            if (!id)
                return respond_unavailable(context);
            sessions_.mark_persisted(context->session);
            log_.begun(std::to_string(number(*id)));
            respond_with_json(context, 201, created_body(*id));
        },
        context->deadline);
}

/// Handles GET /game/ID and /play/ID.
void Api::handle_game_route(const Context& context) {
    const auto name = game_segment(context->target);
    const auto on_game = [this, context, name](const FoundGame& found) {
        if (!found)
            return respond_unavailable(context);
        if (!*found)
            return respond_with_json(context, 404, unknown_game_body(name));
        const auto& state = (*found)->state;
        if (context->route == Route::game)
            return respond_game(context, *state);
        if (const auto fault = validate_upgrade(context->request))
            return respond_with_text(context, 400,
                                     fmt::format("handshake error: bad \"{}\" header", *fault));
        open_socket(context, *state);
    };
    const auto id = read_game_id(name);
    if (!id)
        return on_game(std::optional<StoredGame>{});
    find_game(*id, std::nullopt, context->deadline, on_game);
}

void Api::respond_game(const Context& context, const GameState& state) {
    const auto user = context->session.user;
    set_plies_seen(user, state.id, state.game.moves().size());
    respond_with_json(context, 200, game_body(state, rules_, relation_of(state, user)));
}

// A client who may get a seat must be recognised later, so its session is stored first.
void Api::open_socket(const Context& context, const GameState& state) {
    if (!has_free_seat(state))
        return accept_socket(context, state, false);
    store_.submit_change<bool>(
        [session = context->session](store::Store& store) -> Result<bool> {
            if (const auto error = persist(store, session))
                return *error;
            return true;
        },
        [this, context, state](const Result<bool>& persisted) {
            if (!persisted)
                return respond_unavailable(context);
            sessions_.mark_persisted(context->session);
            accept_socket(context, state, context->session.is_new);
        },
        context->deadline);
}

void Api::accept_socket(const Context& context, const GameState& state, bool with_cookie) {
    const auto cookie = with_cookie ? cookie_for(context) : std::string{};
    context->decide(std::make_shared<WebSocketClient>(
        executor_, room_of(state.id),
        ClientIdentity{context->session.user, net::client_key(context->request.client)}, cookie));
}

std::shared_ptr<GameRoom> Api::room_of(GameId id) {
    auto& entry = rooms_[id];
    auto room = entry.lock();
    if (!room) {
        GameRoomServices& services = *this;
        room = std::make_shared<GameRoom>(services, id);
        entry = room;
    }
    return room;
}

void Api::refresh(GameId id) {
    const auto found = rooms_.find(id);
    if (found == rooms_.end())
        return;
    if (const auto room = found->second.lock())
        room->refresh();
}

std::vector<std::shared_ptr<GameRoom>> Api::all_rooms() const {
    std::vector<std::shared_ptr<GameRoom>> rooms;
    for (const auto& [id, entry] : rooms_) {
        if (auto room = entry.lock())
            rooms.push_back(std::move(room));
    }
    return rooms;
}

void Api::refresh_all() {
    for (const auto& room : all_rooms())
        room->refresh();
}

void Api::disconnect_all() {
    for (const auto& room : all_rooms())
        room->disconnect_all();
}

void Api::check_store(StoreChecked callback) {
    check_store(std::move(callback), store_.deadline());
}

void Api::check_store(StoreChecked callback, Deadline deadline) {
    store_.submit<std::optional<std::string>>(
        [](store::Store& store) { return store.find_game(number(any_game)); },
        [this, callback = std::move(callback)](const Result<std::optional<std::string>>& found) {
            const auto error = found ? store_.failed_change() : std::optional{found.error()};
            callback(error ? std::optional{core::Error{"store: " + error->reason}} : std::nullopt);
        },
        deadline);
}

server::GameList Api::games(std::size_t limit) const {
    const auto rooms = all_rooms();
    server::GameList list{rooms.size()};
    for (const auto& room : rooms) {
        if (list.games.size() >= limit)
            break;
        list.games.push_back(
            {std::to_string(number(room->id())), room->plies(), room->count_clients()});
    }
    return list;
}

void Api::end_game(const std::string& text, std::function<void(Result<bool>)> callback) {
    const auto id = read_game_id(text);
    if (!id)
        return callback(false);
    store_.submit_change<bool>(
        [id = *id](store::Store& store) { return store.remove_game(number(id)); },
        [this, id = *id, callback = std::move(callback)](const auto& removed) {
            const auto found = rooms_.find(id);
            const auto room = found == rooms_.end() ? nullptr : found->second.lock();
            if (room && removed && *removed)
                room->disconnect_all();
            callback(removed);
        });
}

void Api::note_end(const GameState& state, EndReason reason) {
    log_.ended(std::to_string(number(state.id)), state.game.moves().size(), name(reason));
}

void Api::maintain() {
    std::erase_if(rooms_, [](const auto& item) { return item.second.expired(); });
    store_.maintain();
}

// The record is read in the store's thread.
void Api::find_game(GameId id,
                    std::optional<std::string> known_record,
                    Deadline deadline,
                    GameCallback callback) {
    store_.submit<std::optional<StoredGame>>(
        [id, known_record = std::move(known_record)](store::Store& store) -> FoundGame {
            const auto record = store.find_game(number(id));
            if (!record)
                return record.error();
            return read_stored_game(*record, known_record);
        },
        std::move(callback), deadline);
}

void Api::replace_record(GameId id,
                         std::string before,
                         std::string after,
                         Deadline deadline,
                         ReplaceCallback callback) {
    store_.submit_change<bool>(
        [id, before = std::move(before), after = std::move(after)](store::Store& store) {
            return store.replace_game(number(id), before, after);
        },
        std::move(callback), deadline);
}

void Api::when_store_may_work(std::function<void()> retry) {
    store_retries_.push_back(std::move(retry));
    if (store_retries_.size() > 1)
        return;
    store_retry_timer_.expires_after(Limits::store_retry_interval);
    store_retry_timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (cancelled)
            return;
        for (const auto& call : std::exchange(store_retries_, {}))
            call();
    });
}

bool Api::request_move(const GameState& state,
                       const std::string& client_key,
                       MoveCallback callback) {
    constexpr std::chrono::milliseconds default_time{Limits::default_movetime};
    server::SearchJob job;
    job.game = state.game;
    job.game_id = std::to_string(number(state.id));
    job.client = client_key;
    job.limits.movetime = state.engine_time.value_or(default_time);
    job.limits.elo = state.engine_elo;
    const auto done = [callback = std::move(callback)](const server::SearchResult& result) {
        callback(result.best.move);
    };
    return queue_.submit(std::move(job), done).has_value();
}

void Api::when_queue_not_full(const std::string& client_key, std::function<void()> retry) {
    queue_.when_not_full(std::move(retry), server::Priority::player, client_key);
}

std::optional<std::size_t> Api::plies_seen(UserId user, GameId id) {
    return plies_seen_.find({user, id});
}

void Api::set_plies_seen(UserId user, GameId id, std::size_t plies) {
    plies_seen_.set({user, id}, plies);
}

}  // namespace uci::chezz::http
