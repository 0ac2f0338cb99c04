#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/square.hpp"

namespace core {

enum class PieceType : std::uint8_t { pawn, knight, bishop, rook, queen, king };

inline constexpr std::array all_piece_types{PieceType::pawn, PieceType::knight, PieceType::bishop,
                                            PieceType::rook, PieceType::queen,  PieceType::king};

constexpr std::size_t index_of(PieceType type) {
    return static_cast<std::size_t>(type);
}

constexpr std::string_view name(PieceType type) {
    constexpr std::array<std::string_view, 6> names{"pawn", "knight", "bishop",
                                                    "rook", "queen",  "king"};
    return names[index_of(type)];
}

constexpr std::string_view name(Color color) {
    return color == Color::white ? "White" : "Black";
}

/// A chessman: its colour and its type.
class Piece {
public:
    static constexpr int count = 12;

    Piece() = default;  // no piece yet: only for arrays that are filled before they are read
    constexpr Piece(Color color, PieceType type)
        : index_{static_cast<std::uint8_t>(index_of(color) * 6 + index_of(type))} {}

    /// The piece of a FEN letter (capitals are White's), or nothing.
    static constexpr std::optional<Piece> read(char letter) {
        const auto found = letters.find(letter);
        if (found == std::string_view::npos)
            return std::nullopt;
        return Piece{static_cast<std::uint8_t>(found)};
    }

    /// The piece of a number that index() gives.
    static constexpr Piece from_index(std::size_t index) {
        return Piece{static_cast<std::uint8_t>(index)};
    }

    constexpr Color color() const { return index_ < 6 ? Color::white : Color::black; }
    constexpr PieceType type() const {
        return static_cast<PieceType>(index_ < 6 ? index_ : index_ - 6);
    }
    constexpr char letter() const { return letters[index_]; }
    /// A number from 0 to 11: White's pawn, knight ... king, then Black's.
    constexpr std::size_t index() const { return index_; }

    friend constexpr bool operator==(Piece, Piece) = default;

private:
    static constexpr std::string_view letters{"PNBRQKpnbrqk"};

    constexpr explicit Piece(std::uint8_t index) : index_{index} {}

    std::uint8_t index_;
};

static_assert(sizeof(Piece) == 1);

}  // namespace core
