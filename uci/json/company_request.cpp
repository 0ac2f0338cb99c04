#include "uci/json/company_request.hpp"

#include <array>

#include "uci/json/members.hpp"
#include "uci/json/message_type.hpp"

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

constexpr std::array message_types{
    MessageType<CompanyRequest>{"follow_game", read_bare<FollowGame>},
    MessageType<CompanyRequest>{"take_seat", read_take_seat},
    MessageType<CompanyRequest>{"leave_seat", read_leave_seat},
    MessageType<CompanyRequest>{"start_analysis", read_bare<StartAnalysis>},
    MessageType<CompanyRequest>{"stop_analysis", read_bare<StopAnalysis>},
};

}  // namespace

std::optional<CompanyRequest> read_company_request(std::string_view message) {
    return read_as_one_of(message_types, message);
}

}  // namespace uci::json
