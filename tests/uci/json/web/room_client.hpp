#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "uci/json/web/game_room.hpp"

#include "tests/uci/json/client.hpp"

namespace tests {

using Lines = std::vector<std::string>;

/// A connected client of a room that records the messages it receives.
class RoomClient {
public:
    explicit RoomClient(std::shared_ptr<uci::json::web::GameRoom> room, std::string address = {})
        : room_{std::move(room)},
          address_{std::move(address)} {
        number_ = room_->join([this](const std::string& text) { received_.push_back(text); });
    }

    /// Sends a message; returns what is received at once.
    Lines ask(const std::string& message) {
        received_.clear();
        send(message);
        return received_;
    }
    void send(const std::string& message) {
        room_->handle_message(
            {number_, address_}, message, [this](const uci::json::Answer& answer) {
                received_.insert(received_.end(), answer.messages.begin(), answer.messages.end());
            });
    }
    void leave() { room_->leave(number_); }

    const Lines& received() const { return received_; }
    void clear() { received_.clear(); }
    std::size_t number() const { return number_; }

private:
    std::shared_ptr<uci::json::web::GameRoom> room_;
    std::string address_;
    std::size_t number_ = uci::json::web::GameRoom::no_participant;
    Lines received_;
};

inline std::string take_seat_request(std::string_view player, std::string_view key) {
    return Json{{"message_type", "take_seat"}, {"player", player}, {"key", key}}.dump();
}

inline std::string type_of(const std::string& message) {
    return Json::parse(message).at("message_type");
}

}  // namespace tests
