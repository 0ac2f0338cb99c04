#include "uci/json/web/application.hpp"

#include <boost/beast/http/verb.hpp>
#include <utility>

#include "uci/json/web/http_messages.hpp"
#include "uci/json/web/page/page.hpp"

namespace uci::json::web {

namespace {

using boost::beast::http::field;
using boost::beast::http::status;
using boost::beast::http::verb;
using net::HttpRequest;
using net::HttpResponse;
using OpenedRoom = core::Result<std::shared_ptr<GameRoom>>;

// Messages are accepted at the page's path too, for clients that know only the server's address.
constexpr std::string_view page_path{"/"};
constexpr std::string_view message_path{"/message"};
constexpr std::string_view socket_path{"/socket"};

/// Whether a POST to this path is a message for the game that a cookie or header names.
bool is_message_path(std::string_view path) {
    return path == message_path || path == page_path;
}

bool takes_post(const std::string& path) {
    return is_message_path(path) || !game_id_in_path(path).empty();
}

HttpResponse forbidden(const core::Error& error) {
    return text_response(status::forbidden, "Forbidden: " + error.reason + '.');
}

HttpResponse not_found() {
    return text_response(status::not_found, "Not found.");
}

HttpResponse method_not_allowed(const char* allowed) {
    auto response = text_response(status::method_not_allowed, "Method not allowed.");
    response.set(field::allow, allowed);
    return response;
}

bool is_read_only(const HttpRequest& request) {
    return request.method() == verb::get || request.method() == verb::head;
}

}  // namespace

/// A client of a game over a WebSocket. Owned by the connection, which it does not keep alive.
class Application::WebSocketSession : public net::WebSocketHandler {
public:
    WebSocketSession(Application& application, std::shared_ptr<GameRoom> room, std::string address)
        : application_{application},
          room_{std::move(room)},
          address_{std::move(address)} {}

    void on_open(std::shared_ptr<net::WebSocket> client) override {
        client_ = client;
        application_.clients_.insert(this);
        participant_ = room_->join([to = client_](const std::string& text) { send(to, text); });
        if (participant_ == GameRoom::no_participant)
            client->close();
    }
    void on_message(const std::string& message) override {
        if (participant_ == GameRoom::no_participant)
            return;
        room_->handle_message({participant_, address_}, message,
                              [to = client_](const Answer& answer) {
                                  for (const auto& text : answer.messages)
                                      send(to, text);
                              });
    }
    void on_close() override {
        application_.clients_.erase(this);
        if (participant_ != GameRoom::no_participant)
            room_->leave(participant_);
        application_.games_.remove_if_unused(room_->id());
    }
    const std::string& game_id() const { return room_->id(); }
    void disconnect() {
        if (const auto client = client_.lock())
            client->close();
    }

private:
    static void send(const std::weak_ptr<net::WebSocket>& client, const std::string& text) {
        if (const auto connected = client.lock())
            connected->send(text);
    }

    Application& application_;
    std::shared_ptr<GameRoom> room_;
    std::string address_;
    std::weak_ptr<net::WebSocket> client_;
    std::size_t participant_ = GameRoom::no_participant;
};

void Application::disconnect_all() {
    // A connection that is closed removes itself.
    const auto clients = clients_;
    for (auto* const client : clients)
        client->disconnect();
}

void Application::disconnect(const std::string& id) {
    const auto clients = clients_;
    for (auto* const client : clients) {
        if (client->game_id() == id)
            client->disconnect();
    }
}

void Application::end_game(const std::string& id, RoomStore::OnDone callback) {
    games_.remove(id, std::move(callback));
    disconnect(id);
}

/// In this order: a request that only reads must be for our own host, and is answered by a page;
/// any other one must have a path that takes POST (404, 405), and come from our own page. A new GET
/// route belongs before respond_with_page(). A new POST route needs its path in takes_post(), and
/// its branch after check_change(), which refuses pages of other sites.
void Application::handle(const HttpRequest& request, Respond respond) {
    const auto path = path_of(request);
    if (is_read_only(request)) {
        if (const auto error = same_origin_.check_host(net::request_origin(request)))
            return respond(forbidden(*error));
        if (path == message_path)
            return respond(method_not_allowed("POST"));
        if (const auto review = review_path_of(path))
            return respond(review_response(*review));
        return respond_with_page(request, path, respond);
    }
    if (!takes_post(path))
        return respond(page::find(path) || review_path_of(path) ? method_not_allowed("GET, HEAD")
                                                                : not_found());
    if (request.method() != verb::post)
        return respond(method_not_allowed(path == message_path ? "POST" : "GET, HEAD, POST"));
    if (const auto error = same_origin_.check_change(net::request_origin(request)))
        return respond(forbidden(*error));
    handle_message(request, path, respond);
}

/// A file of the page. The path of a game gives the page itself, which opens the game or says that
/// it is gone, or tries again while the store does not answer.
void Application::respond_with_page(const HttpRequest& request,
                                    const std::string& path,
                                    const Respond& respond) {
    const auto id = game_id_in_path(path);
    const auto* file = page::find(id.empty() ? path : "/");
    if (file == nullptr)
        return respond(not_found());
    if (id.empty())
        return respond(page_response(request, *file));
    games_.open(id, [file, response = page_response(request, *file),
                     respond](const OpenedRoom& opened) mutable {
        if (!opened)
            response = missing_game_response(status::service_unavailable, *file);
        else if (!*opened)
            response = missing_game_response(status::not_found, *file);
        respond(std::move(response));
    });
}

HttpResponse Application::review_response(const ReviewPath& path) const {
    const auto* review = reviews_.find(path.game_id);
    if (review == nullptr)
        return text_response(status::not_found,
                             "This game has no review, or it is no longer kept. Open the game, and "
                             "press Review when it is over.");
    return path.is_json ? review_json_response(review->json) : review_page_response(review->page);
}

void Application::handle_message(const HttpRequest& request,
                                 const std::string& path,
                                 const Respond& respond) {
    const bool is_https =
        request.is_https || same_origin_.is_https_host(net::request_origin(request).host);
    const auto wanted = is_message_path(path) ? requested_game_id(request) : game_id_in_path(path);
    if (wanted.empty() && !may_begin_game(request))
        return respond(failure_response(status::too_many_requests));
    const GameRoom::Sender sender{GameRoom::no_participant, net::client_key(request.client),
                                  ++last_request_};
    const auto pass_on = [this, is_https, respond, sender, when_gone = request.when_gone,
                          message = request.body()](GameRoom& room) {
        // The room keeps this function until it has the answer, so it must not keep the room alive.
        const auto reply = [this, id = room.id(), is_https, respond](const Answer& answer) {
            auto response = answer_response(answer);
            games_.remove_if_unused(id);
            if (games_.find(id))
                set_game_cookie(response, id, is_https);
            respond(std::move(response));
        };
        room.handle_message(sender, message, reply);
        if (when_gone)
            when_gone([weak = room.weak_from_this(), sender] {
                if (const auto left = weak.lock())
                    left->cancel_requests_of(sender);
            });
    };
    if (wanted.empty()) {
        const auto room = games_.create(std::chrono::steady_clock::now());
        return room ? pass_on(*room) : respond(failure_response(status::service_unavailable));
    }
    const bool has_cookie = is_message_path(path);
    games_.open(wanted, [pass_on, respond, is_https, has_cookie](const OpenedRoom& opened) {
        if (!opened)
            return respond(answer_response(unavailable_answer()));
        if (*opened)
            return pass_on(**opened);
        auto response = failure_response(status::not_found);
        if (has_cookie)
            clear_game_cookie(response, is_https);
        respond(std::move(response));
    });
}

/// Whether this client has not begun too many games.
bool Application::may_begin_game(const HttpRequest& request) {
    return new_games_.allow(net::client_key(request.client), std::chrono::steady_clock::now());
}

void Application::upgrade(const HttpRequest& request, Decide decide) {
    const auto path = path_of(request);
    const auto id = game_id_in_path(path);
    if (const auto error = same_origin_.check_change(net::request_origin(request)))
        return decide(forbidden(*error));
    if (id.empty() && path != socket_path && path != page_path)
        return decide(not_found());
    if (id.empty() && !may_begin_game(request))
        return decide(text_response(status::too_many_requests, "Too many new games."));
    const auto client = net::client_key(request.client);
    if (id.empty()) {
        const auto room = games_.create(std::chrono::steady_clock::now());
        return room ? decide_on(room, client, decide)
                    : decide(text_response(status::service_unavailable, "Too many games."));
    }
    games_.open(id, [this, client, decide](const OpenedRoom& opened) {
        if (!opened)
            return decide(text_response(status::service_unavailable,
                                        "The game cannot be read now: " + opened.reason() + '.'));
        if (!*opened)
            return decide(text_response(status::not_found, "There is no such game."));
        decide_on(*opened, client, decide);
    });
}

HttpResponse Application::refusal(status code) {
    return failure_response(code);
}

void Application::decide_on(const std::shared_ptr<GameRoom>& room,
                            const std::string& client,
                            const Decide& decide) {
    if (room->is_full())
        return decide(text_response(status::service_unavailable, "Too many clients in this game."));
    decide(std::make_shared<WebSocketSession>(*this, room, client));
}

}  // namespace uci::json::web
