#pragma once

#include "uci/net/play/lobby.hpp"
#include "uci/net/web.hpp"

namespace uci::net::play {

/// The site of `parley serve`: the page, and JSON messages over HTTP and WebSocket. Belongs to
/// the server's thread.
class Application : public WebApplication {
public:
    explicit Application(Lobby& lobby) : lobby_{lobby} {}

    /// Whether only this machine can reach the site; then it answers only under its names.
    void set_local_only(bool local_only) { local_only_ = local_only; }

    void answer(const HttpRequest& request, Respond respond) override;
    void upgrade(const HttpRequest& request, Decide decide) override;

private:
    HttpResponse show(const std::string& path) const;
    void hear(const HttpRequest& request, const std::string& path, const Respond& respond);

    Lobby& lobby_;
    bool local_only_ = true;
};

}  // namespace uci::net::play
