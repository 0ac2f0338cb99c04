#include "uci/net/play/application.hpp"

#include <boost/beast/http/verb.hpp>
#include <utility>

#include "uci/net/page/page.hpp"
#include "uci/net/play/answers.hpp"

namespace uci::net::play {

namespace {

using boost::beast::http::field;
using boost::beast::http::status;
using boost::beast::http::verb;

// The page's own address takes messages too, for clients that know nothing but the server's name.
constexpr std::string_view page_path{"/"};
constexpr std::string_view message_path{"/message"};
constexpr std::string_view socket_path{"/socket"};

/// Whether a message sent there is about the game that its cookie or header names.
bool takes_messages(std::string_view path) {
    return path == message_path || path == page_path;
}

/// A client's time in a room, over a WebSocket. The connection owns the visit, never the other
/// way round.
class Visit : public Conversation {
public:
    Visit(Lobby& lobby, std::shared_ptr<Room> room) : lobby_{lobby}, room_{std::move(room)} {}

    void begin(std::shared_ptr<WebSocket> client) override {
        client_ = client;
        participant_ = room_->enter([to = client_](const std::string& text) { say(to, text); });
        if (participant_ == Room::nobody)
            client->close();
    }
    void hear(const std::string& message) override {
        if (participant_ == Room::nobody)
            return;
        room_->hear(participant_, message, [to = client_](const json::Answer& answer) {
            for (const auto& text : answer.messages)
                say(to, text);
        });
    }
    void end() override {
        if (participant_ != Room::nobody)
            room_->leave(participant_);
        lobby_.close_untouched(room_->id());
    }

private:
    static void say(const std::weak_ptr<WebSocket>& client, const std::string& text) {
        if (const auto present = client.lock())
            present->send(text);
    }

    Lobby& lobby_;
    std::shared_ptr<Room> room_;
    std::weak_ptr<WebSocket> client_;
    std::size_t participant_ = Room::nobody;
};

HttpResponse foreign() {
    return sentence(status::forbidden, "This comes from another site, or under a foreign name.");
}

HttpResponse not_here() {
    return sentence(status::not_found, "There is nothing here.");
}

HttpResponse only(const char* methods) {
    auto response = sentence(status::method_not_allowed, "That cannot be done here.");
    response.set(field::allow, methods);
    return response;
}

bool only_looks(const HttpRequest& request) {
    return request.method() == verb::get || request.method() == verb::head;
}

}  // namespace

void Application::answer(const HttpRequest& request, Respond respond) {
    const auto path = path_of(request);
    const bool is_game = !game_in(path).empty();
    if (only_looks(request)) {
        if (!is_addressed_to_us(request, local_only_))
            return respond(foreign());
        if (path == message_path)
            return respond(only("POST"));
        return respond(show(path));
    }
    if (!takes_messages(path) && !is_game)
        return respond(page::find(path) ? only("GET, HEAD") : not_here());
    if (request.method() != verb::post)
        return respond(only(path == message_path ? "POST" : "GET, HEAD, POST"));
    if (!is_trusted(request, local_only_))
        return respond(foreign());
    hear(request, path, respond);
}

/// The page, under the address of a game too: there it opens the game, or says that it is gone.
HttpResponse Application::show(const std::string& path) const {
    const auto id = game_in(path);
    const auto* file = page::find(id.empty() ? path : "/");
    if (file == nullptr)
        return not_here();
    auto response = document(file->type, file->content);
    if (!id.empty() && !lobby_.find(id))
        response.result(status::not_found);
    return response;
}

void Application::hear(const HttpRequest& request,
                       const std::string& path,
                       const Respond& respond) {
    const auto wanted = takes_messages(path) ? game_in(request) : game_in(path);
    const auto room =
        wanted.empty() ? lobby_.open(std::chrono::steady_clock::now()) : lobby_.find(wanted);
    if (!room) {
        auto response = failure(wanted.empty() ? status::service_unavailable : status::not_found);
        if (takes_messages(path) && !wanted.empty())
            forget_game(response);
        return respond(std::move(response));
    }
    // The room keeps this until there is an answer, so this must not keep the room.
    const auto reply = [this, id = room->id(), respond](const json::Answer& answer) {
        auto response = answer_to_message(answer);
        lobby_.close_untouched(id);
        if (lobby_.find(id))
            name_game(response, id);
        respond(std::move(response));
    };
    room->hear(Room::nobody, request.body(), reply);
}

void Application::upgrade(const HttpRequest& request, Decide decide) {
    const auto path = path_of(request);
    const auto id = game_in(path);
    if (!is_trusted(request, local_only_))
        return decide(foreign());
    if (id.empty() && path != socket_path && path != page_path)
        return decide(not_here());
    const auto room = id.empty() ? lobby_.open(std::chrono::steady_clock::now()) : lobby_.find(id);
    if (!room && !id.empty())
        return decide(sentence(status::not_found, "There is no such game."));
    if (!room || room->is_full())
        return decide(sentence(status::service_unavailable, "There is no room left."));
    decide(std::make_shared<Visit>(lobby_, room));
}

}  // namespace uci::net::play
