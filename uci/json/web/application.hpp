#pragma once

#include "uci/json/web/game_registry.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::json::web {

/// The routes of `parley serve`: the page, and JSON messages over HTTP and WebSocket. Belongs to
/// the server's thread.
class Application : public net::RequestHandler {
public:
    explicit Application(GameRegistry& games) : games_{games} {}

    /// Whether the server is reachable from this machine only; then it answers only requests
    /// whose Host is this machine.
    void set_local_only(bool local_only) { local_only_ = local_only; }

    void handle(const net::HttpRequest& request, Respond respond) override;
    void upgrade(const net::HttpRequest& request, Decide decide) override;

private:
    net::HttpResponse page_response(const std::string& path) const;
    void handle_message(const net::HttpRequest& request,
                        const std::string& path,
                        const Respond& respond);

    GameRegistry& games_;
    bool local_only_ = true;
};

}  // namespace uci::json::web
