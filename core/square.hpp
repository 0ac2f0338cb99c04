#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

enum class Color : std::uint8_t { white, black };

inline constexpr std::array both_colors{Color::white, Color::black};

constexpr Color operator~(Color color) {
    return color == Color::white ? Color::black : Color::white;
}

constexpr std::size_t index_of(Color color) {
    return static_cast<std::size_t>(color);
}

/// One of the 64 squares. Files and ranks are numbers from 0 (file a, rank 1) to 7.
class Square {
public:
    static constexpr int count = 64;

    Square() = default;  // no square yet: only for arrays that are filled before they are read
    constexpr explicit Square(int index) : index_{static_cast<std::uint8_t>(index)} {}

    static constexpr Square at(int file, int rank) { return Square{rank * 8 + file}; }

    /// The square named by a text such as "e4", or nothing.
    static constexpr std::optional<Square> read(std::string_view text) {
        if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
            return std::nullopt;
        return at(text[0] - 'a', text[1] - '1');
    }

    constexpr int index() const { return index_; }
    constexpr int file() const { return index_ & 7; }
    constexpr int rank() const { return index_ >> 3; }

    /// The rank counted from the given player's own side of the board.
    constexpr int rank_for(Color color) const {
        return color == Color::white ? rank() : 7 - rank();
    }
    /// The same square as White, or the one at the other end of its file as Black.
    constexpr Square seen_by(Color color) const {
        return color == Color::white ? *this : Square{index_ ^ 56};
    }

    std::string name() const {
        return {static_cast<char>('a' + file()), static_cast<char>('1' + rank())};
    }

    friend constexpr bool operator==(Square, Square) = default;

private:
    std::uint8_t index_;
};

static_assert(sizeof(Square) == 1);

constexpr std::size_t index_of(Square square) {
    return static_cast<std::size_t>(square.index());
}

/// A square written in the program: "e4"_sq. What is no square does not compile.
consteval Square operator""_sq(const char* text, std::size_t length) {
    return Square::read({text, length}).value();
}

}  // namespace core
