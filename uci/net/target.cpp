#include "uci/net/target.hpp"

#include <algorithm>
#include <charconv>

namespace uci::net {

namespace {

/// The parts of a text between separators; the text is cut off part by part.
std::string_view take_part(std::string_view& text, char separator) {
    const auto end = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

/// The letter that two hexadecimal digits stand for.
std::optional<char> read_escape(std::string_view digits) {
    unsigned value = 0;
    const auto end = digits.data() + digits.size();
    if (digits.size() != 2 || std::from_chars(digits.data(), end, value, 16).ptr != end)
        return std::nullopt;
    return static_cast<char>(value);
}

/// A text without its escapes; what only looks like one stays.
std::string unescaped(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto letter =
            text[i] == '%' ? read_escape(text.substr(i + 1, 2)) : std::optional<char>{};
        result += letter.value_or(text[i]);
        i += letter ? 2 : 0;
    }
    return result;
}

std::string unescaped_in_query(std::string_view text) {
    std::string with_blanks{text};
    std::replace(with_blanks.begin(), with_blanks.end(), '+', ' ');
    return unescaped(with_blanks);
}

}  // namespace

std::optional<std::string> Target::value(std::string_view name) const {
    const auto found = std::find_if(query.begin(), query.end(),
                                    [&](const auto& item) { return item.first == name; });
    return found == query.end() ? std::nullopt : std::optional{found->second};
}

Target read_target(std::string_view target) {
    Target result;
    result.path = unescaped(take_part(target, '?'));
    while (!target.empty()) {
        auto value = take_part(target, '&');
        const auto name = take_part(value, '=');
        result.query.emplace_back(unescaped_in_query(name), unescaped_in_query(value));
    }
    return result;
}

std::optional<std::string> read_cookie(std::string_view header, std::string_view name) {
    while (!header.empty()) {
        auto value = take_part(header, ';');
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        if (take_part(value, '=') == name)
            return std::string{value.substr(0, value.find_last_not_of(" \t") + 1)};
    }
    return std::nullopt;
}

}  // namespace uci::net
