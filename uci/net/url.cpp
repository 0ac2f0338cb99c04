#include "uci/net/url.hpp"

#include <algorithm>
#include <charconv>

namespace uci::net {

namespace {

/// Removes the part of a text before the next separator and returns it.
std::string_view split_off(std::string_view& text, char separator) {
    const auto end = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

/// The value of two hexadecimal digits, in either case.
std::optional<char> read_escape(std::string_view digits) {
    unsigned value = 0;
    const auto* end = digits.data() + digits.size();
    if (digits.size() != 2 || std::from_chars(digits.data(), end, value, 16).ptr != end)
        return std::nullopt;
    return static_cast<char>(value);
}

/// Percent-decodes a text; invalid escapes stay as they are.
std::string percent_decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto letter =
            text[i] == '%' ? read_escape(text.substr(i + 1, 2)) : std::optional<char>{};
        result += letter.value_or(text[i]);
        i += letter ? 2 : 0;
    }
    return result;
}

std::string query_decoded(std::string_view text) {
    std::string with_blanks{text};
    std::replace(with_blanks.begin(), with_blanks.end(), '+', ' ');
    return percent_decoded(with_blanks);
}

}  // namespace

std::optional<std::string> Url::value(std::string_view name) const {
    const auto found = std::find_if(query.begin(), query.end(),
                                    [&](const auto& item) { return item.first == name; });
    return found == query.end() ? std::nullopt : std::optional{found->second};
}

Url parse_url(std::string_view target) {
    Url result;
    result.path = percent_decoded(split_off(target, '?'));
    while (!target.empty()) {
        auto value = split_off(target, '&');
        const auto name = split_off(value, '=');
        result.query.emplace_back(query_decoded(name), query_decoded(value));
    }
    return result;
}

std::optional<std::string> decode_path(std::string_view target) {
    if (target.starts_with('/'))
        target.remove_prefix(1);
    std::string path;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const char letter = target[i];
        const auto code = static_cast<unsigned char>(letter);
        if (code <= ' ' || code >= 0x80)
            return std::nullopt;
        if (letter != '%') {
            path += letter == '+' ? ' ' : letter;
            continue;
        }
        const auto escape = read_escape(target.substr(i + 1, 2));
        if (!escape)
            return std::nullopt;
        path += *escape;
        i += 2;
    }
    return path;
}

}  // namespace uci::net
