#include "core/perft.hpp"

#include <algorithm>

#include "core/multiply.hpp"

namespace core {

namespace {

/// Below this depth a count takes less than a millisecond and does not check should_stop.
constexpr int shallow = 4;

template <Color us>
std::uint64_t walk(const PerftBoard& board, int depth, const LeafCounter& counter);

/// A sink that plays each move and adds up the leaves below it.
template <Color us>
class WalkSink {
public:
    WalkSink(const PerftBoard& board, int depth, const LeafCounter& counter)
        : board_{board},
          counter_{counter},
          depth_{depth} {}

    std::uint64_t leaves() const { return leaves_; }

    template <rules::Movers movers>
    void piece_moves(Square from, Bitboard targets) {
        const PieceType type = type_on<movers>(from);
        const Bitboard touched = movers == rules::Movers::king ? board_.pieces(us) : Bitboard{from};
        const Bitboard captures = targets & board_.pieces(them);
        for (const Square to : targets ^ captures) {
            PerftBoard next = next_board(touched);
            next.move(us, type, from, to);
            count(next);
        }
        for (const Square to : captures)
            capture(type, from, to, touched);
    }
    template <Direction direction, int steps = 1>
    void pawn_moves(Bitboard targets) {
        for (const Square to : targets) {
            const Square from{to.index() - steps * static_cast<int>(direction)};
            if constexpr (direction != Direction::north && direction != Direction::south) {
                capture(PieceType::pawn, from, to, Bitboard{});
            }
            else {
                PerftBoard next = next_board(Bitboard{});
                next.move(us, PieceType::pawn, from, to);
                if constexpr (steps == 2)
                    next.en_passant_target =
                        en_passant_target(Square{to.index() - static_cast<int>(direction)});
                count(next);
            }
        }
    }
    template <Direction direction>
    void promotions(Bitboard targets) {
        for (const Square to : targets) {
            const Square from{to.index() - static_cast<int>(direction)};
            PerftBoard without = next_board(Bitboard{to});
            without.remove(them, to);
            without.remove(us, from);
            without.colors[index_of(us)] |= Bitboard{to};
            for (const auto type :
                 {PieceType::queen, PieceType::knight, PieceType::rook, PieceType::bishop}) {
                PerftBoard next = without;
                next.types[index_of(type)] |= Bitboard{to};
                count(next);
            }
        }
    }
    void en_passant(Square from, Square to) {
        PerftBoard next = next_board(Bitboard{});
        next.remove(them, rules::captured_en_passant(from, to));
        next.move(us, PieceType::pawn, from, to);
        count(next);
    }
    void castling(Square king, Square rook, Side side) {
        PerftBoard next = next_board(board_.pieces(us));
        // In Chess960 a piece may stay where it is, or go where the other one stood.
        next.move(us, PieceType::king, king, castled_king(us, side));
        next.move(us, PieceType::rook, rook, castled_rook(us, side));
        count(next);
    }

private:
    static constexpr Color them = ~us;

    template <rules::Movers movers>
    PieceType type_on(Square square) const {
        switch (movers) {
            case rules::Movers::king: return PieceType::king;
            case rules::Movers::knight: return PieceType::knight;
            default: break;
        }
        if (board_.pieces(PieceType::queen).contains(square))
            return PieceType::queen;
        return movers == rules::Movers::diagonal ? PieceType::bishop : PieceType::rook;
    }

    /// The board without the castling rights that a move on these squares loses.
    PerftBoard next_board(Bitboard touched) const {
        PerftBoard next = board_;
        next.rooks_with_rights &= ~touched;
        next.en_passant_target = Bitboard{};
        return next;
    }

    void capture(PieceType type, Square from, Square to, Bitboard touched) {
        PerftBoard next = next_board(touched | Bitboard{to});
        next.remove(them, to);
        next.move(us, type, from, to);
        count(next);
    }

    Bitboard en_passant_target(Square passed) const {
        return pawn_attacks(us, passed) & board_.pieces(them, PieceType::pawn) ? Bitboard{passed}
                                                                               : Bitboard{};
    }

    void count(const PerftBoard& next) {
        if (depth_ == 2)
            leaves_ += static_cast<std::uint64_t>(counter_.count[index_of(them)](next));
        else
            leaves_ += walk<them>(next, depth_ - 1, counter_);
    }

    const PerftBoard& board_;
    const LeafCounter& counter_;
    std::uint64_t leaves_ = 0;
    int depth_;
};

/// The leaves below a board at depth 2 or more.
template <Color us>
std::uint64_t walk(const PerftBoard& board, int depth, const LeafCounter& counter) {
    const auto limits = rules::checks_and_pins(board, us);
    return rules::Generator<us, MoveKinds::all, PerftBoard, WalkSink<us>>{
        board, limits, {board, depth, counter}}
        .run()
        .leaves();
}

}  // namespace

std::uint64_t perft(const Position& position, int depth) {
    return perft(position, depth, *runnable_leaf_counters().front());
}

std::uint64_t perft(const Position& position, int depth, const LeafCounter& counter) {
    if (depth <= 0)
        return 1;
    const PerftBoard board{position};
    if (depth == 1)
        return static_cast<std::uint64_t>(counter.count[index_of(position.side_to_move())](board));
    return position.side_to_move() == Color::white ? walk<Color::white>(board, depth, counter)
                                                   : walk<Color::black>(board, depth, counter);
}

std::optional<std::uint64_t> perft(const Position& position,
                                   int depth,
                                   const std::function<bool()>& should_stop) {
    if (should_stop())
        return std::nullopt;
    if (depth < shallow)
        return perft(position, depth);
    std::uint64_t leaves = 0;
    for (const Move move : legal_moves(position)) {
        const auto below = perft(position.after(move), depth - 1, should_stop);
        if (!below)
            return std::nullopt;
        leaves += *below;
    }
    return leaves;
}

PerftTable::PerftTable(std::size_t megabytes)
    : entries_(std::max<std::size_t>(1, (megabytes << 20) / sizeof(Entry))) {}

std::uint64_t PerftTable::count(const Position& position, int depth) {
    if (depth <= 1)
        return perft(position, depth);
    constexpr int depth_shift = 56;
    constexpr std::uint64_t count_mask = (1ULL << depth_shift) - 1;
    const Key key = position.key();
    const auto tag = static_cast<std::uint64_t>(depth) << depth_shift;
    // A place of its own for each depth: the tree of depth 6 must not overwrite that of depth 4.
    Entry& entry = entries_[mul_hi64(key ^ (tag * 0x9E3779B97F4A7C15ULL), entries_.size())];
    // Relaxed: the check tells whether the two halves belong together.
    const auto found = entry.depth_and_count.load(std::memory_order_relaxed);
    if ((entry.check.load(std::memory_order_relaxed) ^ found) == key
        && (found & ~count_mask) == tag)
        return found & count_mask;
    std::uint64_t leaves = 0;
    if (depth == 2) {
        leaves = perft(position, depth);
    }
    else {
        for (const Move move : legal_moves(position))
            leaves += count(position.after(move), depth - 1);
    }
    const auto stored = tag | (leaves & count_mask);
    entry.check.store(key ^ stored, std::memory_order_relaxed);
    entry.depth_and_count.store(stored, std::memory_order_relaxed);
    return leaves;
}

}  // namespace core
