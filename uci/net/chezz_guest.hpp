#pragma once

#include <memory>
#include <string>

#include "uci/chezz/room.hpp"
#include "uci/net/web.hpp"

namespace uci::net {

/// One who is connected to a game over a WebSocket. Belongs to the server's thread.
class ChezzGuest : public Conversation,
                   public chezz::Guest,
                   public std::enable_shared_from_this<ChezzGuest> {
public:
    /// `cookie` is for the answer that opens the WebSocket; empty for those who have one.
    ChezzGuest(std::shared_ptr<chezz::Room> room, chezz::UserId user, std::string cookie);

    void greet(HttpResponse& handshake) override;
    void begin(std::shared_ptr<WebSocket> client) override;
    void hear(const std::string& message) override;
    void end() override;

    chezz::UserId user() const override { return user_; }
    bool is_gone() const override { return gone_; }
    void tell(const std::string& message) override;
    void dismiss() override;

private:
    std::shared_ptr<chezz::Room> room_;
    std::shared_ptr<WebSocket> client_;
    chezz::UserId user_;
    std::string cookie_;
    bool gone_ = false;
};

}  // namespace uci::net
