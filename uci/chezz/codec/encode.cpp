#include "uci/chezz/codec/encode.hpp"

#include <algorithm>

namespace uci::chezz::codec {

namespace {

using core::Bitboard;
using core::Color;
using core::DirtyPieces;
using core::Move;
using core::Piece;
using core::PieceType;
using core::Position;
using core::Square;

template <std::size_t size>
int number_of(PieceType type, const std::array<PieceType, size>& numbered) {
    return static_cast<int>(std::find(numbered.begin(), numbered.end(), type) - numbered.begin())
         + 1;
}

std::uint8_t byte(int value) {
    return static_cast<std::uint8_t>(value);
}

/// Collects, move by move, what the position at the end does not show.
class HistoryEncoder {
public:
    explicit HistoryEncoder(StateFormat format) : format_{format} {}

    /// Adds a legal move, played from `before`.
    void add(const Position& before, Move move) {
        const auto effect = before.dirty_pieces(move);
        add_king(before, move);
        add_capture(before, move, effect);
        add_squares(effect);
        add_move(move);
    }

    /// The value of a piece that is, or was until now, on a square.
    std::uint8_t number_on(Piece piece, Square square) const {
        return byte(number_of(piece.type(), numbered_types)
                    + (piece.color() == Color::black ? black_flag : 0)
                    + (moved_.contains(square) ? moved_flag : 0));
    }
    /// Squares of captured rooks that chezz-back's bug missed: the castling right remains until the
    /// king moves.
    Bitboard missed_rooks() const { return missed_rooks_; }
    const Bytes& captured() const { return captured_; }
    const Bytes& moves() const { return moves_; }

private:
    void add_king(const Position& before, Move move) {
        if (before.piece_at_unchecked(move.from()).type() == PieceType::king)
            missed_rooks_ &= ~Bitboard::rank(before.side_to_move() == Color::white ? 0 : 7);
    }

    void add_capture(const Position& before, Move move, const DirtyPieces& effect) {
        if (!before.is_capture(move))
            return;
        if (format_ == StateFormat::server_with_capture_bug && move.is_promotion()) {
            missed_rooks_ |= before.castling_rooks() & Bitboard{move.to()};
            return;
        }
        const auto& taken = effect.removed[1];
        captured_.push_back(number_on(taken.piece, taken.square));
    }

    void add_squares(const DirtyPieces& effect) {
        for (const auto& departure : effect.removed_pieces())
            moved_ &= ~Bitboard{departure.square};
        for (const auto& arrival : effect.added_pieces())
            moved_ |= Bitboard{arrival.square};
    }

    void add_move(Move move) {
        const Square to = core::move_target(move);
        const bool tagged = move.is_promotion() || move.kind() == Move::Kind::en_passant;
        moves_.push_back(byte(move.from().index()));
        moves_.push_back(byte(to.index() | (tagged ? tag_flag : 0)));
        if (tagged)
            moves_.push_back(byte(move.is_promotion()
                                      ? number_of(move.promoted_to(), tagged_promotions)
                                      : en_passant_tag));
    }

    StateFormat format_;
    Bitboard moved_;
    Bitboard missed_rooks_;
    Bytes captured_;
    Bytes moves_;
};

std::uint8_t turn_byte(const core::Game& game, StateFormat format) {
    const int turn = game.position().side_to_move() == Color::white ? 0 : 1;
    if (format == StateFormat::front_end)
        return byte(turn);
    return byte(turn | server_version << version_shift
                | (game.en_passant_target() ? double_step_flag : 0));
}

std::uint8_t check_byte(const Position& position) {
    if (!position.in_check())
        return nobody_in_check;
    return position.side_to_move() == Color::white ? 0 : 1;
}

std::uint8_t status_byte(const core::Game& game) {
    const auto outcome = game.outcome();
    if (outcome == core::Outcome::checkmate)
        return byte(static_cast<int>(Status::checkmate));
    return byte(
        static_cast<int>(outcome == core::Outcome::stalemate ? Status::stalemate : Status::open));
}

std::uint8_t rights_byte(const Position& position, Bitboard missed_rooks) {
    int rights = 0;
    for (const Color color : core::both_colors) {
        for (const core::Side side : core::both_sides) {
            const Square corner =
                Square::at(side == core::Side::queen_side ? 0 : 7, color == Color::white ? 0 : 7);
            if ((position.castling_rooks() | missed_rooks).contains(corner))
                rights |= castling_bit(color, side);
        }
    }
    return byte(rights);
}

}  // namespace

core::Result<Bytes> encode(const core::Game& game, StateFormat format) {
    if (game.start() != Position::start())
        return core::Error{"chezz knows only games from the start of standard chess"};
    HistoryEncoder history{format};
    Position position = game.start();
    for (const Move move : game.moves()) {
        history.add(position, move);
        position = position.after(move);
    }
    Bytes bytes{turn_byte(game, format), check_byte(position), status_byte(game),
                rights_byte(position, history.missed_rooks())};
    for (int i = 0; i < Square::count; ++i) {
        const auto piece = position.piece_on(Square{i});
        bytes.push_back(piece ? history.number_on(*piece, Square{i}) : byte(0));
    }
    bytes.insert(bytes.end(), history.captured().begin(), history.captured().end());
    bytes.push_back(0);
    bytes.insert(bytes.end(), history.moves().begin(), history.moves().end());
    return bytes;
}

}  // namespace uci::chezz::codec
