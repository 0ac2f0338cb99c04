#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/piece.hpp"

namespace uci::json {

// Messages beyond these limits are rejected.
inline constexpr std::size_t max_message_size = 16'384;  ///< bytes
inline constexpr int max_nesting = 4;                    ///< the message's own braces included
inline constexpr int max_members = 256;                  ///< of all objects in it together

/// The top-level members of a JSON object that was parsed strictly. Nested values are checked, but
/// not kept.
class StrictObject {
public:
    /// A value that is neither text nor an unsigned integer.
    struct OtherValue {};
    using Value = std::variant<OtherValue, std::string, std::uint64_t>;

    /// Parses strict JSON: RFC 8259, valid UTF-8, no duplicate names. Nothing when the text is
    /// something else than one object, or exceeds a limit.
    static std::optional<StrictObject> parse(std::string_view text);

    void set(const std::string& name, Value value) { values_[name] = std::move(value); }

    bool has(const std::string& name) const { return values_.count(name) > 0; }
    /// The text of that name; null when it is missing or not a text.
    const std::string* text(const std::string& name) const { return find<std::string>(name); }
    /// The integer of that name, zero or more; null when it is missing or something else.
    const std::uint64_t* number(const std::string& name) const { return find<std::uint64_t>(name); }
    /// The colour of that name; nothing when it is missing or not a colour.
    std::optional<core::Color> color(const std::string& name) const;

private:
    template <typename Wanted>
    const Wanted* find(const std::string& name) const {
        const auto found = values_.find(name);
        return found == values_.end() ? nullptr : std::get_if<Wanted>(&found->second);
    }

    std::map<std::string, Value> values_;
};

}  // namespace uci::json
