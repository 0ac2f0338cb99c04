#include "uci/chezz/http/client.hpp"

#include <boost/beast/http/field.hpp>
#include <utility>

#include "uci/chezz/limits.hpp"

namespace uci::chezz::http {

WebSocketClient::WebSocketClient(const boost::asio::any_io_executor& executor,
                                 std::shared_ptr<GameRoom> room,
                                 ClientIdentity identity,
                                 std::string cookie)
    : timer_{executor},
      room_{std::move(room)},
      identity_{std::move(identity)},
      cookie_{std::move(cookie)} {}

void WebSocketClient::on_handshake(net::HttpResponse& handshake) {
    if (!cookie_.empty())
        handshake.set(boost::beast::http::field::set_cookie, cookie_);
}

void WebSocketClient::on_open(std::shared_ptr<net::WebSocket> socket) {
    socket_ = socket;
    room_->join(shared_from_this());
}

void WebSocketClient::on_message(const std::string& message) {
    room_->receive(shared_from_this(), message);
}

void WebSocketClient::on_close() {
    left_ = true;
    socket_.reset();
    queue_.clear();
    timer_.cancel();
    room_->leave(shared_from_this());
}

void WebSocketClient::send(const std::vector<std::string>& messages) {
    queue_.insert(queue_.end(), messages.begin(), messages.end());
    if (queue_.size() > Limits::max_paced_messages)
        send_all();
    else if (!pausing_)
        send_next();
}

void WebSocketClient::send_next() {
    const auto socket = socket_.lock();
    if (!socket || queue_.empty())
        return;
    socket->send(std::move(queue_.front()));
    queue_.pop_front();
    pausing_ = true;
    timer_.expires_after(queue_.empty() ? Limits::min_message_interval : Limits::message_interval);
    timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& cancelled) {
        const auto self = weak.lock();
        if (cancelled || !self)
            return;
        self->pausing_ = false;
        self->send_next();
    });
}

void WebSocketClient::send_all() {
    const auto socket = socket_.lock();
    for (auto& message : std::exchange(queue_, {})) {
        if (socket)
            socket->send(std::move(message));
    }
}

void WebSocketClient::disconnect() {
    send_all();
    if (const auto socket = socket_.lock())
        socket->close();
}

}  // namespace uci::chezz::http
