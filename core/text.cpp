#include "core/text.hpp"

#include <algorithm>
#include <charconv>

namespace core {

namespace {

std::string_view without_leading_blanks(std::string_view text) {
    const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
    text.remove_prefix(static_cast<std::size_t>(first - text.begin()));
    return text;
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_blank)
                                                   - text.begin()));
}

}  // namespace

std::optional<std::string_view> Words::peek() const {
    const auto word = first_word(without_leading_blanks(rest_));
    if (word.empty())
        return std::nullopt;
    return word;
}

std::optional<std::string_view> Words::next() {
    rest_ = without_leading_blanks(rest_);
    const auto word = peek();
    if (word)
        rest_.remove_prefix(word->size());
    return word;
}

std::string_view Words::rest() const {
    auto text = without_leading_blanks(rest_);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::optional<std::int64_t> read_integer(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);
    std::int64_t value = 0;
    const auto end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end)
        return std::nullopt;
    return value;
}

std::string printable(std::string_view text) {
    constexpr std::size_t max_size = 60;
    std::string result{text.substr(0, max_size)};
    std::replace_if(
        result.begin(), result.end(), [](char letter) { return letter < ' ' || letter > '~'; },
        '?');
    if (text.size() > max_size)
        result += "...";
    return result;
}

std::string quoted(std::string_view text) {
    return "'" + printable(text) + "'";
}

std::string lowercase(std::string_view text) {
    std::string result;
    for (const char letter : text)
        result += lowercase(letter);
    return result;
}

std::string lowercase_no_blanks(std::string_view text) {
    std::string result = lowercase(text);
    std::erase_if(result, is_blank);
    return result;
}

}  // namespace core
