#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

namespace uci::json {

/// A message beyond one of these limits is not read.
inline constexpr std::size_t longest_message = 4096;  ///< bytes
inline constexpr int deepest_nesting = 4;             ///< the message's own braces included
inline constexpr int most_members = 256;              ///< of all objects in it together

/// A value of no kind that any message asks for.
struct OtherValue {};
using Value = std::variant<OtherValue, std::string, std::uint64_t>;

/// What an object says, by name. What is nested in it has been checked, but is not kept.
class Members {
public:
    void set(const std::string& name, Value value) { values_[name] = std::move(value); }

    bool has(const std::string& name) const { return values_.count(name) > 0; }
    /// The text of that name; null when there is none or it is no text.
    const std::string* text(const std::string& name) const { return find<std::string>(name); }
    /// The whole number of that name, zero or more; null when there is none or it is no such.
    const std::uint64_t* number(const std::string& name) const { return find<std::uint64_t>(name); }

private:
    template <typename Wanted>
    const Wanted* find(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? nullptr : std::get_if<Wanted>(&found->second);
    }

    std::map<std::string, Value> values_;
};

/// The colour that the member "player" names; nothing when there is none or it is none.
std::optional<core::Color> player_in(const Members& members);

/// The members of the one JSON object that a message is; or nothing, when it is no strict JSON
/// (RFC 8259, valid UTF-8, no name twice in an object), no object, or beyond a limit.
std::optional<Members> read_members(std::string_view message);

}  // namespace uci::json
