#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

enum class Color : std::uint8_t { white, black };

inline constexpr std::array both_colors{Color::white, Color::black};

[[nodiscard]] constexpr Color operator~(Color color) noexcept {
    return color == Color::white ? Color::black : Color::white;
}

[[nodiscard]] constexpr std::size_t index_of(Color color) noexcept {
    return static_cast<std::size_t>(color);
}

/// One of the 64 squares, numbered a1 = 0, b1 = 1 ... h8 = 63. Files and ranks count from 0 to 7.
class Square {
public:
    static constexpr int count = 64;

    Square() = default;  // uninitialised: only for arrays that are filled before they are read
    constexpr explicit Square(int index) noexcept : index_{static_cast<std::uint8_t>(index)} {
        assert(index >= 0 && index < count);
    }

    [[nodiscard]] static constexpr Square at(int file, int rank) noexcept {
        assert(file >= 0 && file < 8 && rank >= 0 && rank < 8);
        return Square{rank * 8 + file};
    }

    /// Parses a name such as "e4"; nothing if the text is not a square.
    [[nodiscard]] static constexpr std::optional<Square> read(std::string_view text) noexcept {
        if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
            return std::nullopt;
        return at(text[0] - 'a', text[1] - '1');
    }

    [[nodiscard]] constexpr int index() const noexcept { return index_; }
    [[nodiscard]] constexpr int file() const noexcept { return index_ & 7; }
    [[nodiscard]] constexpr int rank() const noexcept { return index_ >> 3; }

    /// The rank as this player sees it: 0 is the player's own back rank.
    [[nodiscard]] constexpr int relative_rank(Color color) const noexcept {
        return color == Color::white ? rank() : 7 - rank();
    }
    /// The square as this player sees it: unchanged for White, mirrored vertically for Black.
    [[nodiscard]] constexpr Square relative_square(Color color) const noexcept {
        return color == Color::white ? *this : Square{index_ ^ 56};
    }

    [[nodiscard]] std::string name() const {
        return {static_cast<char>('a' + file()), static_cast<char>('1' + rank())};
    }

    friend constexpr bool operator==(Square, Square) noexcept = default;

private:
    std::uint8_t index_;
};

static_assert(sizeof(Square) == 1);

[[nodiscard]] constexpr std::size_t index_of(Square square) noexcept {
    return static_cast<std::size_t>(square.index());
}

/// A square literal: "e4"_sq. A text that is not a square does not compile.
[[nodiscard]] consteval Square operator""_sq(const char* text, std::size_t length) noexcept {
    return Square::read({text, length}).value();
}

}  // namespace core
