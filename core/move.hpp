#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/piece.hpp"

namespace core {

/// A move in 16 bits. It says where from, where to and what kind; the position knows the rest.
/// Castling goes from the king's square to the rook's, so that Chess960 needs nothing special.
class Move {
public:
    enum class Kind : std::uint8_t { normal = 0, castling = 1, en_passant = 2, promotion = 4 };

    Move() = default;  // no move yet: only for arrays that are filled before they are read

    static constexpr Move normal(Square from, Square to) { return make(from, to, 0); }
    static constexpr Move castling(Square king, Square rook) { return make(king, rook, 1); }
    static constexpr Move en_passant(Square from, Square to) { return make(from, to, 2); }
    static constexpr Move promotion(Square from, Square to, PieceType type) {
        return make(from, to, static_cast<unsigned>(3 + index_of(type)));
    }

    constexpr Square from() const { return Square{bits_ & 63}; }
    constexpr Square to() const { return Square{(bits_ >> 6) & 63}; }
    constexpr Kind kind() const {
        return is_promotion() ? Kind::promotion : static_cast<Kind>(bits_ >> 12);
    }
    constexpr bool is_promotion() const { return (bits_ >> 14) != 0; }
    /// What a pawn becomes; only for a promotion.
    constexpr PieceType promoted_to() const { return static_cast<PieceType>((bits_ >> 12) - 3); }

    /// The 16 bits: from, to, then the kind (4 to 7: promotion to knight ... queen).
    constexpr std::uint16_t bits() const { return bits_; }
    static constexpr Move from_bits(std::uint16_t bits) {
        Move move{};
        move.bits_ = bits;
        return move;
    }
    /// Whether the kind is one of those above: from_bits() takes any bits.
    constexpr bool has_known_kind() const { return bits_ >> 12 < 8 && bits_ >> 12 != 3; }

    friend constexpr bool operator==(Move, Move) = default;

private:
    static constexpr Move make(Square from, Square to, unsigned kind) {
        return from_bits(static_cast<std::uint16_t>(static_cast<unsigned>(from.index())
                                                    | static_cast<unsigned>(to.index()) << 6
                                                    | kind << 12));
    }

    std::uint16_t bits_;
};

static_assert(sizeof(Move) == 2);

/// Moves on the stack. No position has more than 218; the bound follows from the limits on
/// material that a Position keeps.
class MoveList {  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
public:
    static constexpr std::size_t capacity = 256;

    void add(Move move) { moves_[size_++] = move; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](std::size_t index) const { return moves_[index]; }
    const Move* begin() const { return moves_.data(); }
    const Move* end() const { return moves_.data() + size_; }
    bool contains(Move move) const {
        for (const Move other : *this) {
            if (other == move)
                return true;
        }
        return false;
    }

private:
    std::array<Move, capacity> moves_;
    std::size_t size_ = 0;
};

}  // namespace core
