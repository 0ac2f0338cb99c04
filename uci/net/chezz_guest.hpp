#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "uci/chezz/room.hpp"
#include "uci/net/web.hpp"

namespace uci::net {

/// One who is connected to a game over a WebSocket. What is told at once goes out in pieces, with
/// a pause after each: a page that is given two messages in one turn of its loop may see only the
/// second. Belongs to the server's thread.
class ChezzGuest : public Conversation,
                   public chezz::Guest,
                   public std::enable_shared_from_this<ChezzGuest> {
public:
    /// `cookie` is for the answer that opens the WebSocket; empty for those who have one.
    ChezzGuest(const boost::asio::any_io_executor& executor,
               std::shared_ptr<chezz::Room> room,
               chezz::UserId user,
               std::string cookie);

    void greet(HttpResponse& handshake) override;
    void begin(std::shared_ptr<WebSocket> client) override;
    void hear(const std::string& message) override;
    void end() override;

    chezz::UserId user() const override { return user_; }
    bool is_gone() const override { return gone_; }
    void tell(const std::vector<std::string>& messages) override;
    void dismiss() override;

private:
    void send_next();
    void send_all();

    boost::asio::steady_timer timer_;
    std::shared_ptr<chezz::Room> room_;
    /// It has this guest, and lives as long as it is connected.
    std::weak_ptr<WebSocket> client_;
    chezz::UserId user_;
    std::string cookie_;
    std::deque<std::string> waiting_;
    bool pausing_ = false;
    bool gone_ = false;
};

}  // namespace uci::net
