#include "uci/chezz/encode.hpp"

#include <algorithm>

namespace uci::chezz {

namespace {

using core::Bitboard;
using core::Color;
using core::Move;
using core::MoveEffect;
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

/// What a position does not know of its past, gathered move by move.
class Past {
public:
    explicit Past(Form form) : form_{form} {}

    /// Notes a legal move from a position.
    void add(const Position& before, Move move) {
        const auto effect = before.effect_of(move);
        note_king(before, move);
        note_capture(before, move, effect);
        note_squares(effect);
        note_move(move);
    }

    /// The number of a piece that stands, or stood until now, on a square.
    std::uint8_t number_on(Piece piece, Square square) const {
        return byte(number_of(piece.type(), numbered_types)
                    + (piece.color() == Color::black ? black_flag : 0)
                    + (moved_.contains(square) ? moved_flag : 0));
    }
    /// Where rooks were taken that the flawed server overlooked: it keeps the right to castle
    /// with them until the king moves.
    Bitboard lost_rooks() const { return lost_rooks_; }
    const Bytes& captured() const { return captured_; }
    const Bytes& moves() const { return moves_; }

private:
    void note_king(const Position& before, Move move) {
        if (before.known_piece_on(move.from()).type() == PieceType::king)
            lost_rooks_ &= ~Bitboard::rank(before.side_to_move() == Color::white ? 0 : 7);
    }

    void note_capture(const Position& before, Move move, const MoveEffect& effect) {
        if (!before.is_capture(move))
            return;
        if (form_ == Form::flawed_server && move.is_promotion()) {
            lost_rooks_ |= before.castling_rooks() & Bitboard{move.to()};
            return;
        }
        const auto& taken = effect.left[1];
        captured_.push_back(number_on(taken.piece, taken.square));
    }

    void note_squares(const MoveEffect& effect) {
        for (const auto& departure : effect.leaves())
            moved_ &= ~Bitboard{departure.square};
        for (const auto& arrival : effect.arrives())
            moved_ |= Bitboard{arrival.square};
    }

    void note_move(Move move) {
        const bool castling = move.kind() == Move::Kind::castling;
        const Color color = move.from().rank() == 0 ? Color::white : Color::black;
        const Square to =
            castling ? core::castled_king(color, core::side_of_castling(move)) : move.to();
        const bool tagged = move.is_promotion() || move.kind() == Move::Kind::en_passant;
        moves_.push_back(byte(move.from().index()));
        moves_.push_back(byte(to.index() | (tagged ? tag_flag : 0)));
        if (tagged)
            moves_.push_back(byte(move.is_promotion()
                                      ? number_of(move.promoted_to(), tagged_promotions)
                                      : en_passant_tag));
    }

    Form form_;
    Bitboard moved_;
    Bitboard lost_rooks_;
    Bytes captured_;
    Bytes moves_;
};

std::uint8_t turn_byte(const core::Game& game, Form form) {
    const int turn = game.position().side_to_move() == Color::white ? 0 : 1;
    if (form == Form::front_end)
        return byte(turn);
    return byte(turn | server_version << version_shift
                | (game.jumped_over() ? double_step_flag : 0));
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

std::uint8_t rights_byte(const Position& position, Bitboard lost_rooks) {
    int rights = 0;
    for (const Color color : core::both_colors) {
        for (const core::Side side : core::both_sides) {
            const Square corner =
                Square::at(side == core::Side::queen_side ? 0 : 7, color == Color::white ? 0 : 7);
            if ((position.castling_rooks() | lost_rooks).contains(corner))
                rights |= castling_bit(color, side);
        }
    }
    return byte(rights);
}

}  // namespace

core::Result<Bytes> encode(const core::Game& game, Form form) {
    if (game.start() != Position::start())
        return core::Error{"chezz knows only games from the start of standard chess"};
    Past past{form};
    Position position = game.start();
    for (const Move move : game.moves()) {
        past.add(position, move);
        position = position.after(move);
    }
    Bytes bytes{turn_byte(game, form), check_byte(position), status_byte(game),
                rights_byte(position, past.lost_rooks())};
    for (int i = 0; i < Square::count; ++i) {
        const auto piece = position.piece_on(Square{i});
        bytes.push_back(piece ? past.number_on(*piece, Square{i}) : byte(0));
    }
    bytes.insert(bytes.end(), past.captured().begin(), past.captured().end());
    bytes.push_back(0);
    bytes.insert(bytes.end(), past.moves().begin(), past.moves().end());
    return bytes;
}

}  // namespace uci::chezz
