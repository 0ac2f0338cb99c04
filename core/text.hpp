#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Blank, tab, line end, NUL: everything that separates words in what programs send.
constexpr bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == '\0';
}

/// The words of a text, taken one after the other from its front.
class Words {
public:
    explicit Words(std::string_view text) : rest_{text} {}

    /// The next word, or nothing at the end; the word is taken.
    std::optional<std::string_view> next();
    /// The next word without taking it.
    std::optional<std::string_view> peek() const;
    /// What has not been taken yet, without blanks at either end.
    std::string_view rest() const;
    bool empty() const { return rest().empty(); }

private:
    std::string_view rest_;
};

/// The whole number that the entire text is ("12", "-3", "+4"), or nothing.
std::optional<std::int64_t> read_integer(std::string_view text);

/// A text from outside made fit to be shown: cut at 60 bytes, everything but ASCII as '?'.
std::string printable(std::string_view text);

/// The text in small letters, without blanks.
std::string folded(std::string_view text);

}  // namespace core
