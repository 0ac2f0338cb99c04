#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "uci/net/request_handler.hpp"
#include "uci/remote/remote_client.hpp"
#include "uci/remote/wire.hpp"

namespace uci::remote {

/// A client over a WebSocket: each message is one line, or several. Belongs to the I/O thread.
class WebSocketWire : public Wire,
                      public net::WebSocketHandler,
                      public std::enable_shared_from_this<WebSocketWire> {
public:
    explicit WebSocketWire(std::shared_ptr<RemoteClient> client) : client_{std::move(client)} {}

    void send(std::string line) override {
        if (socket_)
            socket_->send(std::move(line));
    }
    void keep() override {
        if (socket_)
            socket_->set_evictable(false);
    }
    void close() override {
        if (const auto socket = std::exchange(socket_, nullptr))
            socket->close();
    }

    void on_open(std::shared_ptr<net::WebSocket> socket) override {
        socket_ = std::move(socket);
        socket_->set_evictable(true);
        client_->open(shared_from_this());
    }
    void on_message(const std::string& message) override {
        std::size_t start = 0;
        while (start <= message.size()) {
            const auto end = std::min(message.find('\n', start), message.size());
            client_->on_line(std::string_view{message}.substr(start, end - start));
            start = end + 1;
        }
    }
    void on_drained() override { client_->on_sent(); }
    void on_close() override {
        socket_ = nullptr;
        client_->on_closed();
    }

private:
    std::shared_ptr<RemoteClient> client_;
    std::shared_ptr<net::WebSocket> socket_;
};

}  // namespace uci::remote
