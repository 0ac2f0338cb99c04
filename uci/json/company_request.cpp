#include "uci/json/company_request.hpp"

#include <algorithm>
#include <array>

#include "uci/json/members.hpp"

namespace uci::json {

namespace {

using Read = std::optional<CompanyRequest>;

template <typename Request>
Read read_bare(const Members& /*members*/) {
    return Request{};
}

Read read_take_seat(const Members& members) {
    const auto player = player_in(members);
    const auto* key = members.text("key");
    if (!player || key == nullptr || key->size() < shortest_key || key->size() > longest_key)
        return std::nullopt;
    return TakeSeat{*player, *key};
}

Read read_leave_seat(const Members& members) {
    const auto player = player_in(members);
    if (!player)
        return std::nullopt;
    return LeaveSeat{*player};
}

struct MessageType {
    std::string_view name;
    Read (*read)(const Members&);
};

constexpr std::array message_types{
    MessageType{"follow_game", read_bare<FollowGame>},
    MessageType{"take_seat", read_take_seat},
    MessageType{"leave_seat", read_leave_seat},
    MessageType{"start_analysis", read_bare<StartAnalysis>},
    MessageType{"stop_analysis", read_bare<StopAnalysis>},
};

}  // namespace

std::optional<CompanyRequest> read_company_request(std::string_view message) {
    const auto members = read_members(message);
    const auto* name = members ? members->text("message_type") : nullptr;
    if (name == nullptr)
        return std::nullopt;
    const auto* const found =
        std::find_if(message_types.begin(), message_types.end(),
                     [&](const MessageType& type) { return type.name == *name; });
    return found == message_types.end() ? std::nullopt : found->read(*members);
}

}  // namespace uci::json
