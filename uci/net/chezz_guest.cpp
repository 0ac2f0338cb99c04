#include "uci/net/chezz_guest.hpp"

#include <boost/beast/http/field.hpp>
#include <utility>

#include "uci/chezz/limits.hpp"

namespace uci::net {

ChezzGuest::ChezzGuest(const boost::asio::any_io_executor& executor,
                       std::shared_ptr<chezz::Room> room,
                       chezz::UserId user,
                       std::string cookie)
    : timer_{executor},
      room_{std::move(room)},
      user_{user},
      cookie_{std::move(cookie)} {}

void ChezzGuest::greet(HttpResponse& handshake) {
    if (!cookie_.empty())
        handshake.set(boost::beast::http::field::set_cookie, cookie_);
}

void ChezzGuest::begin(std::shared_ptr<WebSocket> client) {
    client_ = client;
    room_->enter(shared_from_this());
}

void ChezzGuest::hear(const std::string& message) {
    room_->hear(shared_from_this(), message);
}

void ChezzGuest::end() {
    gone_ = true;
    client_.reset();
    waiting_.clear();
    timer_.cancel();
    room_->leave(shared_from_this());
}

void ChezzGuest::tell(const std::vector<std::string>& messages) {
    waiting_.insert(waiting_.end(), messages.begin(), messages.end());
    if (waiting_.size() > chezz::Limits::unhurried_messages)
        send_all();
    else if (!pausing_)
        send_next();
}

void ChezzGuest::send_next() {
    const auto client = client_.lock();
    if (!client || waiting_.empty())
        return;
    client->send(std::move(waiting_.front()));
    waiting_.pop_front();
    if (waiting_.empty())
        return;
    pausing_ = true;
    timer_.expires_after(chezz::Limits::between_messages);
    timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& cancelled) {
        const auto self = weak.lock();
        if (cancelled || !self)
            return;
        self->pausing_ = false;
        self->send_next();
    });
}

void ChezzGuest::send_all() {
    const auto client = client_.lock();
    for (auto& message : std::exchange(waiting_, {})) {
        if (client)
            client->send(std::move(message));
    }
}

void ChezzGuest::dismiss() {
    send_all();
    if (const auto client = client_.lock())
        client->close();
}

}  // namespace uci::net
