#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <string>

#include "uci/net/web.hpp"
#include "uci/net/web_crowd.hpp"

namespace uci::net {

/// One WebSocket and the conversation held over it. A silent client is asked for a sign of life
/// every few seconds, and cut off when none comes; or before, when others need its place. Belongs
/// to the server's thread.
class WebSocketConnection : public WebSocket,
                            public std::enable_shared_from_this<WebSocketConnection> {
public:
    WebSocketConnection(boost::beast::tcp_stream stream,
                        std::shared_ptr<Conversation> conversation,
                        const WebLimits& limits,
                        std::shared_ptr<WebCrowd::Ticket> ticket);

    /// Accepts the request that asked for the WebSocket, then listens.
    void start(const HttpRequest& request);
    void send(std::string text) override;
    void close() override;

private:
    void listen();
    void note_heard();
    void note_silent();
    void note_unsent(std::size_t bytes);
    void write();
    void keep_alive();
    void ask_for_sign();
    void await_good_bye();
    void finish();

    boost::beast::websocket::stream<boost::beast::tcp_stream> stream_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<Conversation> conversation_;
    std::shared_ptr<WebCrowd::Ticket> ticket_;
    boost::beast::flat_buffer buffer_;
    std::deque<std::string> unsent_;
    std::size_t unsent_bytes_ = 0;
    std::chrono::steady_clock::time_point last_heard_;
    bool open_ = false;
    bool asking_ = false;
    bool closing_ = false;
    bool finished_ = false;
};

}  // namespace uci::net
