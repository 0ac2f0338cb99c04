#include "uci/net/chezz_guest.hpp"

#include <boost/beast/http/field.hpp>
#include <utility>

namespace uci::net {

ChezzGuest::ChezzGuest(std::shared_ptr<chezz::Room> room, chezz::UserId user, std::string cookie)
    : room_{std::move(room)},
      user_{user},
      cookie_{std::move(cookie)} {}

void ChezzGuest::greet(HttpResponse& handshake) {
    if (!cookie_.empty())
        handshake.set(boost::beast::http::field::set_cookie, cookie_);
}

void ChezzGuest::begin(std::shared_ptr<WebSocket> client) {
    client_ = std::move(client);
    room_->enter(shared_from_this());
}

void ChezzGuest::hear(const std::string& message) {
    room_->hear(shared_from_this(), message);
}

void ChezzGuest::end() {
    gone_ = true;
    client_.reset();
    room_->leave(shared_from_this());
}

void ChezzGuest::tell(const std::string& message) {
    if (client_)
        client_->send(message);
}

void ChezzGuest::dismiss() {
    if (client_)
        client_->close();
}

}  // namespace uci::net
