#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "uci/json/members.hpp"

namespace uci::json {

/// A type of message, and how what it asks for is read: nothing when a member is missing or wrong.
template <typename Request>
struct MessageType {
    std::string_view name;
    std::optional<Request> (*read)(const Members&);
};

/// What a message asks for; nothing when it is no message, of none of these types, or faulty.
template <typename Request, std::size_t count>
std::optional<Request> read_as_one_of(const std::array<MessageType<Request>, count>& types,
                                      std::string_view message) {
    const auto members = read_members(message);
    const auto* name = members ? members->text("message_type") : nullptr;
    if (name == nullptr)
        return std::nullopt;
    const auto* const found = std::find_if(types.begin(), types.end(),
                                           [&](const auto& type) { return type.name == *name; });
    return found == types.end() ? std::nullopt : found->read(*members);
}

}  // namespace uci::json
