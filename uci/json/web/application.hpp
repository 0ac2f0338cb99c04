#pragma once

#include <cstdint>
#include <set>

#include "uci/json/web/game_registry.hpp"
#include "uci/json/web/game_reviews.hpp"
#include "uci/json/web/http_messages.hpp"
#include "uci/net/client_quota.hpp"
#include "uci/net/request_handler.hpp"
#include "uci/net/same_origin.hpp"

namespace uci::json::web {

/// The routes of `parley serve`: the page, and JSON messages over HTTP and WebSocket. Belongs to
/// the server's thread.
class Application : public net::RequestHandler {
public:
    Application(GameRegistry& games, const GameReviews& reviews, net::SameOrigin same_origin)
        : games_{games},
          reviews_{reviews},
          same_origin_{std::move(same_origin)} {
        games_.when_removed([this](const std::string& id) { disconnect(id); });
    }

    /// Closes all WebSockets, which takes a moment.
    void disconnect_all();
    /// Ends a game, whose clients are disconnected. False if there is none.
    void end_game(const std::string& id, RoomStore::OnDone callback);
    /// Whether no WebSocket is open.
    bool is_empty() const { return clients_.empty(); }

    void handle(const net::HttpRequest& request, Respond respond) override;
    void upgrade(const net::HttpRequest& request, Decide decide) override;
    net::HttpResponse refusal(boost::beast::http::status code) override;

private:
    /// Closes the WebSockets of a game.
    void disconnect(const std::string& id);
    void respond_with_page(const net::HttpRequest& request,
                           const std::string& path,
                           const Respond& respond);
    net::HttpResponse review_response(const ReviewPath& path) const;
    bool may_begin_game(const net::HttpRequest& request);
    void handle_message(const net::HttpRequest& request,
                        const std::string& path,
                        const Respond& respond);
    void decide_on(const std::shared_ptr<GameRoom>& room,
                   const std::string& client,
                   const Decide& decide);

    class WebSocketSession;

    GameRegistry& games_;
    const GameReviews& reviews_;
    std::set<WebSocketSession*> clients_;
    net::SameOrigin same_origin_;
    std::uint64_t last_request_ = 0;
    net::RateLimiter new_games_{max_new_games, new_game_interval};
};

}  // namespace uci::json::web
