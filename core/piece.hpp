#pragma once

#include <array>
#include <cassert>
#include <optional>
#include <string_view>

#include "core/square.hpp"

namespace core {

enum class PieceType : std::uint8_t { pawn, knight, bishop, rook, queen, king };

inline constexpr std::array all_piece_types{PieceType::pawn, PieceType::knight, PieceType::bishop,
                                            PieceType::rook, PieceType::queen,  PieceType::king};

[[nodiscard]] constexpr std::size_t index_of(PieceType type) noexcept {
    return static_cast<std::size_t>(type);
}

[[nodiscard]] constexpr std::string_view name(PieceType type) noexcept {
    constexpr std::array<std::string_view, 6> names{"pawn", "knight", "bishop",
                                                    "rook", "queen",  "king"};
    return names[index_of(type)];
}

[[nodiscard]] constexpr std::string_view name(Color color) noexcept {
    return color == Color::white ? "White" : "Black";
}

/// A piece: its colour and its type.
class Piece {
public:
    static constexpr int count = 12;

    Piece() = default;  // uninitialised: only for arrays that are filled before they are read
    constexpr Piece(Color color, PieceType type)
        : index_{static_cast<std::uint8_t>(index_of(color) * 6 + index_of(type))} {}

    /// The piece of a FEN letter (upper case is White); nothing for any other letter.
    [[nodiscard]] static constexpr std::optional<Piece> read(char letter) noexcept {
        const auto found = letters.find(letter);
        if (found == std::string_view::npos)
            return std::nullopt;
        return Piece{static_cast<std::uint8_t>(found)};
    }

    /// The inverse of index().
    [[nodiscard]] static constexpr Piece from_index(std::size_t index) noexcept {
        assert(index < count);
        return Piece{static_cast<std::uint8_t>(index)};
    }

    [[nodiscard]] constexpr Color color() const noexcept {
        return index_ < 6 ? Color::white : Color::black;
    }
    [[nodiscard]] constexpr PieceType type() const noexcept {
        return static_cast<PieceType>(index_ < 6 ? index_ : index_ - 6);
    }
    [[nodiscard]] constexpr char letter() const noexcept { return letters[index_]; }
    /// 0 to 11: White's pawn, knight, bishop, rook, queen, king, then Black's.
    [[nodiscard]] constexpr std::size_t index() const noexcept { return index_; }

    friend constexpr bool operator==(Piece, Piece) noexcept = default;

private:
    static constexpr std::string_view letters{"PNBRQKpnbrqk"};

    constexpr explicit Piece(std::uint8_t index) noexcept : index_{index} {}

    std::uint8_t index_;
};

static_assert(sizeof(Piece) == 1);

}  // namespace core
