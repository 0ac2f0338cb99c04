#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "uci/net/connection_limiter.hpp"
#include "uci/net/handshake_stream.hpp"
#include "uci/net/http_state.hpp"
#include "uci/net/request_handler.hpp"

namespace uci::net {

/// One WebSocket connection (RFC 6455) and its handler. Pings an idle client, and closes the
/// connection when it does not answer in time. Earlier, or when it has sent no message for long, it
/// is closed when the limiter needs its slot. Belongs to the server's thread.
class WebSocketConnection : public WebSocket,
                            public std::enable_shared_from_this<WebSocketConnection> {
public:
    WebSocketConnection(boost::beast::tcp_stream stream,
                        std::shared_ptr<WebSocketHandler> handler,
                        const HttpContext& context,
                        std::shared_ptr<ConnectionSlot> slot);

    /// Accepts the upgrade request, then reads messages.
    void start(const HttpRequest& request);
    void send(std::string text) override;
    void set_evictable(bool evictable) override;
    void close() override;

private:
    template <typename Call>
    void guarded(Call call);
    void read();
    void note_message();
    void note_pong();
    void mark_idle();
    void set_unsent_bytes(std::size_t bytes);
    void write();
    void keep_alive();
    void send_ping();
    void limit_close();
    void finish();
    void log_end() const;

    boost::beast::websocket::stream<HandshakeStream> stream_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<WebSocketHandler> handler_;
    std::shared_ptr<HttpState> state_;
    std::shared_ptr<ConnectionSlot> slot_;
    std::string client_;  ///< for the log
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::int64_t messages_ = 0;
    boost::beast::flat_buffer buffer_;
    std::deque<std::string> unsent_;
    std::size_t unsent_bytes_ = 0;
    std::chrono::milliseconds idle_timeout_;
    std::chrono::steady_clock::time_point last_activity_;
    std::chrono::steady_clock::time_point last_message_;
    bool open_ = false;
    bool evictable_ = false;
    bool ping_pending_ = false;
    bool closing_ = false;
    bool finished_ = false;
};

}  // namespace uci::net
