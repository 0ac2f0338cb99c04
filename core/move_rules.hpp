#pragma once

#include "core/attacks.hpp"
#include "core/castling.hpp"
#include "core/move.hpp"

/// The rules of moving, written once, as templates. A `Board` tells where the pieces stand: a
/// Position, or the smaller PerftBoard. A `Sink` receives the moves: it lists, counts or plays
/// them.
namespace core::rules {

[[nodiscard]] constexpr Square captured_en_passant(Square from, Square to) noexcept {
    return Square::at(to.file(), from.rank());
}

/// What limits the moves of the side to move besides the king's own.
struct ChecksAndPins {
    Bitboard checkers;         ///< the opponent's pieces that give check
    Bitboard orthogonal_pins;  ///< lines along ranks and files from the king to a pinning piece
    Bitboard diagonal_pins;    ///< lines along diagonals
};

template <typename Board>
[[nodiscard]] ChecksAndPins checks_and_pins(const Board& board, Color us) {
    const Square king = board.king(us);
    const Bitboard occupied = board.pieces();
    ChecksAndPins found;
    found.checkers = ((pawn_attacks(us, king) & board.pieces(PieceType::pawn))
                      | (knight_attacks(king) & board.pieces(PieceType::knight)))
                   & board.pieces(~us);
    const auto find_pins = [&](Bitboard rays, PieceType slider) {
        Bitboard pins;
        for (const Square attacker : rays& board.pieces(~us, slider, PieceType::queen)) {
            const Bitboard path = between(king, attacker);
            const Bitboard blockers = path & occupied;
            if (blockers.empty())
                found.checkers |= Bitboard{attacker};
            else if (!blockers.more_than_one() && (blockers & board.pieces(us)))
                pins |= path | Bitboard{attacker};
        }
        return pins;
    };
    found.orthogonal_pins = find_pins(rook_rays(king), PieceType::rook);
    found.diagonal_pins = find_pins(bishop_rays(king), PieceType::bishop);
    return found;
}

/// Whether a bishop, rook or queen of a colour attacks a square, for a given occupancy.
template <typename Board>
[[nodiscard]] bool is_attacked_by_slider(const Board& board,
                                         Square square,
                                         Color by,
                                         Bitboard occupied) {
    const Bitboard diagonal = board.pieces(by, PieceType::bishop, PieceType::queen);
    if ((bishop_rays(square) & diagonal) && (bishop_attacks(square, occupied) & diagonal))
        return true;
    const Bitboard orthogonal = board.pieces(by, PieceType::rook, PieceType::queen);
    return (rook_rays(square) & orthogonal) && (rook_attacks(square, occupied) & orthogonal);
}

/// Whether a colour attacks a square, for a given occupancy.
template <typename Board>
[[nodiscard]] bool is_attacked(const Board& board, Square square, Color by, Bitboard occupied) {
    return (pawn_attacks(~by, square) & board.pieces(by, PieceType::pawn))
        || (knight_attacks(square) & board.pieces(by, PieceType::knight))
        || (king_attacks(square) & board.pieces(by, PieceType::king))
        || is_attacked_by_slider(board, square, by, occupied);
}

/// Whether an en passant capture leaves the own king safe.
template <typename Board>
[[nodiscard]] bool is_legal_en_passant(const Board& board, Color us, Square from, Square to) {
    const Bitboard victim{captured_en_passant(from, to)};
    const Bitboard occupied = (board.pieces() ^ Bitboard{from} ^ victim) | Bitboard{to};
    const Square king = board.king(us);
    return !(pawn_attacks(us, king) & board.pieces(~us, PieceType::pawn) & ~victim)
        && !(knight_attacks(king) & board.pieces(~us, PieceType::knight))
        && !is_attacked_by_slider(board, king, ~us, occupied);
}

/// The squares that castling needs.
struct CastlingPaths {
    Bitboard empty;  ///< must be empty, the squares of king and rook apart
    Bitboard safe;   ///< must not be attacked
};

[[nodiscard]] inline CastlingPaths castling_paths(Color us, Square king, Square rook, Side side) {
    const Square king_to = castled_king(us, side);
    const Square rook_to = castled_rook(us, side);
    const Bitboard king_path = between(king, king_to) | Bitboard{king_to};
    const Bitboard rook_path = between(rook, rook_to) | Bitboard{rook_to};
    const Bitboard both = Bitboard{king} | Bitboard{rook};
    return {(king_path | rook_path | between(king, rook)) & ~both, king_path};
}

/// Pieces that move alike. A queen is in both kinds of sliders.
enum class Movers : std::uint8_t { king, knight, diagonal, orthogonal };

/// A sink that counts the moves.
class MoveCountSink {
public:
    template <Movers>
    void piece_moves(Square /*from*/, Bitboard targets) {
        count_ += targets.count();
    }
    template <Direction direction, int steps = 1>
    void pawn_moves(Bitboard targets) {
        count_ += targets.count();
    }
    template <Direction direction>
    void promotions(Bitboard targets) {
        count_ += 4 * targets.count();
    }
    void en_passant(Square /*from*/, Square /*to*/) { ++count_; }
    void castling(Square /*king*/, Square /*rook*/, Side /*side*/) { ++count_; }

    int count() const { return count_; }

private:
    int count_ = 0;
};

/// Generates the legal moves of a position into a sink, piece by piece. All are legal by
/// construction: targets lie in the check mask, and pinned pieces stay on their pin line.
template <Color us, MoveKinds kinds, typename Board, typename Sink>
class Generator {
public:
    Generator(const Board& board, const ChecksAndPins& limits, Sink sink)
        : sink_{sink},
          board_{board},
          king_{board.king(us)},
          occupied_{board.pieces()},
          checkers_{limits.checkers},
          orthogonal_pins_{limits.orthogonal_pins},
          diagonal_pins_{limits.diagonal_pins} {}

    /// Generates all moves and returns the sink.
    Sink run() {
        king_moves();
        if (!checkers_.more_than_one()) {
            if (checkers_)
                check_mask_ = checkers_ | between(king_, checkers_.lsb());
            pawns();
            pieces();
            if (quiets && checkers_.empty())
                castlings();
        }
        return sink_;
    }

private:
    static constexpr Color them = ~us;
    static constexpr bool noisies = kinds != MoveKinds::quiet;
    static constexpr bool quiets = kinds != MoveKinds::noisy;

    static constexpr Direction up = us == Color::white ? Direction::north : Direction::south;
    static constexpr Direction up_east =
        us == Color::white ? Direction::north_east : Direction::south_east;
    static constexpr Direction up_west =
        us == Color::white ? Direction::north_west : Direction::south_west;
    static constexpr Bitboard last_rank = Bitboard::rank(us == Color::white ? 7 : 0);
    static constexpr Bitboard third_rank = Bitboard::rank(us == Color::white ? 2 : 5);

    Bitboard own() const { return board_.pieces(us); }
    Bitboard own(PieceType type) const { return board_.pieces(us, type); }
    Bitboard enemies() const { return board_.pieces(them); }

    /// The target squares of pieces other than pawns for these kinds of moves.
    Bitboard target_mask() const {
        if constexpr (kinds == MoveKinds::all)
            return ~own();
        else if constexpr (kinds == MoveKinds::noisy)
            return enemies();
        else
            return ~occupied_;
    }

    void king_moves() {
        Bitboard targets = king_attacks(king_) & target_mask();
        if (targets)
            targets &= ~non_slider_attacks();
        const Bitboard without_king = occupied_ ^ Bitboard { king_ };
        for (const Square to : targets) {
            if (is_attacked_by_slider(board_, to, them, without_king))
                targets ^= Bitboard{to};
        }
        sink_.template piece_moves<Movers::king>(king_, targets);
    }

    /// The squares attacked by the opponent's pawns, knights and king.
    Bitboard non_slider_attacks() const {
        Bitboard attacked = pawn_attacks<them>(board_.pieces(them, PieceType::pawn))
                          | king_attacks(board_.king(them));
        for (const Square from : board_.pieces(them, PieceType::knight))
            attacked |= knight_attacks(from);
        return attacked;
    }

    void pieces() {
        const Bitboard targets = target_mask() & check_mask_;
        const Bitboard pinned = orthogonal_pins_ | diagonal_pins_;
        for (const Square from : own(PieceType::knight) & ~pinned)
            sink_.template piece_moves<Movers::knight>(from, knight_attacks(from) & targets);

        const Bitboard diagonal = board_.pieces(us, PieceType::bishop, PieceType::queen);
        for (const Square from : diagonal & ~pinned)
            sink_.template piece_moves<Movers::diagonal>(from,
                                                         bishop_attacks(from, occupied_) & targets);
        for (const Square from : diagonal& diagonal_pins_)
            sink_.template piece_moves<Movers::diagonal>(
                from, bishop_attacks(from, occupied_) & targets & diagonal_pins_);

        const Bitboard orthogonal = board_.pieces(us, PieceType::rook, PieceType::queen);
        for (const Square from : orthogonal & ~pinned)
            sink_.template piece_moves<Movers::orthogonal>(from,
                                                           rook_attacks(from, occupied_) & targets);
        for (const Square from : orthogonal& orthogonal_pins_)
            sink_.template piece_moves<Movers::orthogonal>(
                from, rook_attacks(from, occupied_) & targets & orthogonal_pins_);
    }

    void pawns() {
        const Bitboard all = own(PieceType::pawn);
        const Bitboard pushers = all & ~diagonal_pins_;
        const Bitboard free_pushers = pushers & ~orthogonal_pins_;
        const Bitboard pinned_pushers = pushers & orthogonal_pins_;
        const Bitboard single =
            (shift<up>(free_pushers) | (shift<up>(pinned_pushers) & orthogonal_pins_)) & ~occupied_;
        if constexpr (quiets) {
            sink_.template pawn_moves<up>(single & check_mask_ & ~last_rank);
            const Bitboard double_pushes =
                shift<up>(single & third_rank) & ~occupied_ & check_mask_;
            sink_.template pawn_moves<up, 2>(double_pushes);
        }
        if constexpr (noisies) {
            sink_.template promotions<up>(single & check_mask_ & last_rank);
            const Bitboard capturers = all & ~orthogonal_pins_;
            captures<up_east>(capturers);
            captures<up_west>(capturers);
            if (board_.en_passant())
                en_passant(*board_.en_passant(), all);
        }
    }

    template <Direction direction>
    void captures(Bitboard capturers) {
        const Bitboard free = capturers & ~diagonal_pins_;
        const Bitboard pinned = capturers & diagonal_pins_;
        const Bitboard targets =
            (shift<direction>(free) | (shift<direction>(pinned) & diagonal_pins_)) & enemies()
            & check_mask_;
        sink_.template pawn_moves<direction>(targets & ~last_rank);
        sink_.template promotions<direction>(targets & last_rank);
    }

    void en_passant(Square to, Bitboard pawns) {
        for (const Square from : pawn_attacks(them, to) & pawns) {
            if (is_legal_en_passant(board_, us, from, to))
                sink_.en_passant(from, to);
        }
    }

    void castlings() {
        const Bitboard rooks = board_.castling_rooks() & own();
        const Bitboard east_of_king{~0ULL << king_.index()};
        castling(rooks & east_of_king, Side::king_side);
        castling(rooks & ~east_of_king, Side::queen_side);
    }

    void castling(Bitboard rook, Side side) {
        // The cheapest and most frequent obstacle first: a piece between king and rook.
        if (rook.empty() || (between(king_, rook.lsb()) & occupied_))
            return;
        if (can_castle(rook.lsb(), side))
            sink_.castling(king_, rook.lsb(), side);
    }

    bool can_castle(Square rook, Side side) const {
        const CastlingPaths paths = castling_paths(us, king_, rook, side);
        // A rook that shields its king along the rank is pinned and cannot castle (Chess960).
        if ((paths.empty & occupied_) || orthogonal_pins_.contains(rook))
            return false;
        for (const Square square : paths.safe) {
            if (is_attacked(board_, square, them, occupied_))
                return false;
        }
        return true;
    }

    Sink sink_;
    const Board& board_;
    const Square king_;
    const Bitboard occupied_;
    const Bitboard checkers_;
    const Bitboard orthogonal_pins_;
    const Bitboard diagonal_pins_;
    Bitboard check_mask_ = Bitboard::all();
};

}  // namespace core::rules
