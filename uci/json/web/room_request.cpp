#include "uci/json/web/room_request.hpp"

#include <array>

#include "uci/json/message_type.hpp"
#include "uci/json/strict_object.hpp"

namespace uci::json::web {

namespace {

using ReadResult = std::optional<RoomRequest>;

template <typename Request>
ReadResult read_without_members(const StrictObject& /*object*/) {
    return Request{};
}

ReadResult read_take_seat(const StrictObject& object) {
    const auto player = object.color("player");
    const auto* key = object.text("key");
    if (!player || key == nullptr || key->size() < min_key_size || key->size() > max_key_size)
        return std::nullopt;
    return TakeSeat{*player, *key};
}

ReadResult read_leave_seat(const StrictObject& object) {
    const auto player = object.color("player");
    if (!player)
        return std::nullopt;
    return LeaveSeat{*player};
}

constexpr std::array message_types{
    MessageType<RoomRequest>{"follow_game", read_without_members<FollowGame>},
    MessageType<RoomRequest>{"take_seat", read_take_seat},
    MessageType<RoomRequest>{"leave_seat", read_leave_seat},
    MessageType<RoomRequest>{"start_analysis", read_without_members<StartAnalysis>},
    MessageType<RoomRequest>{"stop_analysis", read_without_members<StopAnalysis>},
};

}  // namespace

std::optional<RoomRequest> read_room_request(std::string_view message) {
    return read_as_one_of(message_types, message);
}

}  // namespace uci::json::web
