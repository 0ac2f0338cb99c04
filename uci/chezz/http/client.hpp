#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "uci/chezz/game_room.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::chezz::http {

/// Who a client is, and from where.
struct ClientIdentity {
    UserId user;
    std::string client_key;  ///< net::client_key()
};

/// A client on a WebSocket. Pauses between any two messages, because chezz's front end sees only
/// the second of two messages that arrive in one turn of its event loop. Belongs to the server's
/// thread.
class WebSocketClient : public net::WebSocketHandler,
                        public Client,
                        public std::enable_shared_from_this<WebSocketClient> {
public:
    /// `cookie` is set by the response to the handshake, unless it is empty.
    WebSocketClient(const boost::asio::any_io_executor& executor,
                    std::shared_ptr<GameRoom> room,
                    ClientIdentity identity,
                    std::string cookie);

    void on_handshake(net::HttpResponse& handshake) override;
    void on_open(std::shared_ptr<net::WebSocket> socket) override;
    void on_message(const std::string& message) override;
    void on_close() override;

    UserId user() const override { return identity_.user; }
    const std::string& client_key() const override { return identity_.client_key; }
    bool has_left() const override { return left_; }
    void send(const std::vector<std::string>& messages) override;
    void disconnect() override;

private:
    void send_next();
    void send_all();

    boost::asio::steady_timer timer_;
    std::shared_ptr<GameRoom> room_;
    /// Weak: the connection owns this client.
    std::weak_ptr<net::WebSocket> socket_;
    ClientIdentity identity_;
    std::string cookie_;
    std::deque<std::string> queue_;
    bool pausing_ = false;
    bool left_ = false;
};

}  // namespace uci::chezz::http
