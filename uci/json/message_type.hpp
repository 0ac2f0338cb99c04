#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "uci/json/strict_object.hpp"

namespace uci::json {

/// A value of message_type and the function that reads such a message: nothing when a member is
/// missing or wrong.
template <typename Request>
struct MessageType {
    std::string_view name;
    std::optional<Request> (*read)(const StrictObject&);
};

/// The request in a message; nothing when it is malformed or has none of these types.
template <typename Request, std::size_t count>
std::optional<Request> read_as_one_of(const std::array<MessageType<Request>, count>& types,
                                      std::string_view message) {
    const auto object = StrictObject::parse(message);
    const auto* name = object ? object->text("message_type") : nullptr;
    if (name == nullptr)
        return std::nullopt;
    const auto* const found = std::find_if(types.begin(), types.end(),
                                           [&](const auto& type) { return type.name == *name; });
    return found == types.end() ? std::nullopt : found->read(*object);
}

}  // namespace uci::json
