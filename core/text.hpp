#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Whether a character separates words: space, tab, line end or NUL.
[[nodiscard]] constexpr bool is_blank(char letter) noexcept {
    return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == '\0';
}

/// Splits a text into words, from front to back.
class Words {
public:
    explicit Words(std::string_view text) : rest_{text} {}

    /// Removes and returns the next word; nothing at the end.
    std::optional<std::string_view> next();
    /// Returns the next word without removing it.
    [[nodiscard]] std::optional<std::string_view> peek() const;
    /// The text not yet read, without blanks at either end.
    [[nodiscard]] std::string_view rest() const;
    [[nodiscard]] bool empty() const { return rest().empty(); }

private:
    std::string_view rest_;
};

/// Parses an integer that fills the whole text ("12", "-3", "+4"); nothing otherwise.
[[nodiscard]] std::optional<std::int64_t> read_integer(std::string_view text);

/// Input made safe to quote in a message: at most 60 bytes, '?' for all but printable ASCII.
[[nodiscard]] std::string printable(std::string_view text);

/// The same between single quotes.
[[nodiscard]] std::string quoted(std::string_view text);

/// A letter in lower case. Only ASCII letters change, whatever the locale.
[[nodiscard]] constexpr char lowercase(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// The text in lower case, as above.
[[nodiscard]] std::string lowercase(std::string_view text);

/// The same, without blanks.
[[nodiscard]] std::string lowercase_no_blanks(std::string_view text);

}  // namespace core
