#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>

#include "core/piece.hpp"

namespace core {

/// A move in 16 bits: from, to and kind. Everything else follows from the position.
/// Castling is stored as the king's square and the rook's square, which also covers Chess960.
class Move {
public:
    enum class Kind : std::uint8_t { normal = 0, castling = 1, en_passant = 2, promotion = 4 };

    Move() = default;  // uninitialised: only for arrays that are filled before they are read

    [[nodiscard]] static constexpr Move normal(Square from, Square to) noexcept {
        return make(from, to, 0);
    }
    [[nodiscard]] static constexpr Move castling(Square king, Square rook) noexcept {
        return make(king, rook, 1);
    }
    [[nodiscard]] static constexpr Move en_passant(Square from, Square to) noexcept {
        return make(from, to, 2);
    }
    [[nodiscard]] static constexpr Move promotion(Square from, Square to, PieceType type) noexcept {
        assert(type >= PieceType::knight && type <= PieceType::queen);
        return make(from, to, static_cast<unsigned>(3 + index_of(type)));
    }

    [[nodiscard]] constexpr Square from() const noexcept { return Square{bits_ & 63}; }
    [[nodiscard]] constexpr Square to() const noexcept { return Square{(bits_ >> 6) & 63}; }
    [[nodiscard]] constexpr Kind kind() const noexcept {
        return is_promotion() ? Kind::promotion : static_cast<Kind>(bits_ >> 12);
    }
    [[nodiscard]] constexpr bool is_promotion() const noexcept { return (bits_ >> 14) != 0; }
    /// The piece a pawn promotes to; the move must be a promotion.
    [[nodiscard]] constexpr PieceType promoted_to() const noexcept {
        assert(is_promotion() && has_known_kind());
        return static_cast<PieceType>((bits_ >> 12) - 3);
    }

    /// From in bits 0 to 5, to in bits 6 to 11, the kind above (4 to 7: promotion to knight,
    /// bishop, rook, queen).
    [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
    [[nodiscard]] static constexpr Move from_bits(std::uint16_t bits) noexcept {
        Move move{};
        move.bits_ = bits;
        return move;
    }
    /// False if the bits encode no kind of move, which from_bits() does not check.
    [[nodiscard]] constexpr bool has_known_kind() const noexcept {
        return bits_ >> 12 < 8 && bits_ >> 12 != 3;
    }

    friend constexpr bool operator==(Move, Move) noexcept = default;

private:
    [[nodiscard]] static constexpr Move make(Square from, Square to, unsigned kind) noexcept {
        return from_bits(static_cast<std::uint16_t>(static_cast<unsigned>(from.index())
                                                    | static_cast<unsigned>(to.index()) << 6
                                                    | kind << 12));
    }

    std::uint16_t bits_;
};

static_assert(sizeof(Move) == 2);

/// Which moves to generate: noisy ones are captures and promotions, quiet ones all others.
enum class MoveKinds : std::uint8_t { all, noisy, quiet };

/// A list of moves with fixed capacity, so that it lives on the stack. No legal position has more
/// than 218 moves; the limits on material that validate() checks keep every Position below 256.
class MoveList {  // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
public:
    static constexpr std::size_t capacity = 256;

    void add(Move move) noexcept {
        assert(size_ < capacity);
        moves_[size_++] = move;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    Move operator[](std::size_t index) const noexcept {
        assert(index < size_);
        return moves_[index];
    }
    [[nodiscard]] const Move* begin() const noexcept { return moves_.data(); }
    [[nodiscard]] const Move* end() const noexcept { return moves_.data() + size_; }
    [[nodiscard]] bool contains(Move move) const noexcept {
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
