#include "uci/json/web/room_request.hpp"

#include <array>

#include "uci/json/json_values.hpp"
#include "uci/json/message_type.hpp"
#include "uci/json/request.hpp"
#include "uci/json/strict_object.hpp"
#include "uci/json/web/limits.hpp"

namespace uci::json::web {

namespace {

using ReadResult = std::optional<RoomRequest>;

template <typename Request>
ReadResult read_without_members(const StrictObject& /*object*/) {
    return Request{};
}

ReadResult read_get_positions(const StrictObject& object) {
    const auto* from = object.number("from");
    const auto* line = object.text("line");
    if ((object.has("from") && from == nullptr) || (object.has("line") && line == nullptr))
        return std::nullopt;
    return GetPositions{from == nullptr ? 0 : *from,
                        line == nullptr ? std::nullopt : std::optional{*line}};
}

ReadResult read_start_analysis(const StrictObject& object) {
    if (!object.has("lines"))
        return StartAnalysis{};
    const auto* lines = object.number("lines");
    if (lines == nullptr || *lines < 1 || *lines > std::uint64_t{max_analysis_lines})
        return std::nullopt;
    return StartAnalysis{static_cast<int>(*lines)};
}

/// A player's name, empty when it is missing; nothing if it is too long or no text.
std::optional<std::string> read_name(const StrictObject& object, const std::string& member) {
    if (!object.has(member))
        return "";
    const auto* name = object.text(member);
    if (name == nullptr || name->size() > max_player_name)
        return std::nullopt;
    return *name;
}

ReadResult read_take_seat(const StrictObject& object) {
    const auto player = object.color("player");
    const auto* key = object.text("key");
    if (!player || key == nullptr || key->size() < min_key_size || key->size() > max_key_size)
        return std::nullopt;
    const auto name = read_name(object, "name");
    return name ? ReadResult{TakeSeat{*player, *key, *name}} : std::nullopt;
}

template <typename Request>
ReadResult read_player(const StrictObject& object) {
    const auto player = object.color("player");
    if (!player)
        return std::nullopt;
    return Request{*player};
}

ReadResult read_offer_draw(const StrictObject& object) {
    const auto player = object.color("player");
    const auto* to = object.text("to");
    if (!player || (object.has("to") && (to == nullptr || *to != "engine")))
        return std::nullopt;
    return OfferDraw{*player, to != nullptr};
}

ReadResult read_start_review(const StrictObject& object) {
    const auto white = read_name(object, "white");
    const auto black = read_name(object, "black");
    const auto language = read_language(object);
    if (!white || !black || !language)
        return std::nullopt;
    return StartReview{{white->empty() ? "White" : *white, black->empty() ? "Black" : *black},
                       *language};
}

constexpr std::array message_types{
    MessageType<RoomRequest>{"follow_game", read_without_members<FollowGame>},
    MessageType<RoomRequest>{"get_positions", read_get_positions},
    MessageType<RoomRequest>{"take_seat", read_take_seat},
    MessageType<RoomRequest>{"leave_seat", read_player<LeaveSeat>},
    MessageType<RoomRequest>{"start_analysis", read_start_analysis},
    MessageType<RoomRequest>{"stop_analysis", read_without_members<StopAnalysis>},
    MessageType<RoomRequest>{"move_now", read_without_members<MoveNow>},
    MessageType<RoomRequest>{"start_review", read_start_review},
    MessageType<RoomRequest>{"offer_draw", read_offer_draw},
    MessageType<RoomRequest>{"accept_draw", read_player<AcceptDraw>},
    MessageType<RoomRequest>{"decline_draw", read_player<DeclineDraw>},
    MessageType<RoomRequest>{"offer_rematch", read_player<OfferRematch>},
    MessageType<RoomRequest>{"accept_rematch", read_player<AcceptRematch>},
    MessageType<RoomRequest>{"decline_rematch", read_player<DeclineRematch>},
};

}  // namespace

std::optional<RoomRequest> read_room_request(std::string_view message) {
    return read_as_one_of(message_types, message);
}

}  // namespace uci::json::web
