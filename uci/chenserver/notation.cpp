#include "uci/chenserver/notation.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/movegen.hpp"
#include "core/notation.hpp"

namespace uci::chenserver {

namespace {

using core::Color;
using core::Move;
using core::PieceType;
using core::Position;
using core::Square;

constexpr std::size_t min_san_length = 2;
constexpr std::size_t max_san_length = 7;
constexpr std::string_view piece_letters = "NBRQK";

struct Step {
    int files;
    int ranks;
};

constexpr Step north{0, 1};
constexpr Step south{0, -1};
constexpr Step east{1, 0};
constexpr Step west{-1, 0};
constexpr Step north_east{1, 1};
constexpr Step north_west{-1, 1};
constexpr Step south_east{1, -1};
constexpr Step south_west{-1, -1};

constexpr std::array knight_steps{Step{1, 2}, Step{1, -2}, Step{-1, 2}, Step{-1, -2},
                                  Step{2, 1}, Step{2, -1}, Step{-2, 1}, Step{-2, -1}};
constexpr std::array bishop_steps{north_east, north_west, south_east, south_west};
constexpr std::array rook_steps{north, west, east, south};
constexpr std::array queen_steps{north_east, north_west, south_east, south_west,
                                 north,      west,       east,       south};
constexpr std::array king_steps{north, north_east, north_west, east,
                                west,  south_east, south_west, south};
constexpr std::array promotions{PieceType::queen, PieceType::rook, PieceType::bishop,
                                PieceType::knight};

/// Generates pseudo-legal moves in Chenard's order.
class ChenardMoveOrder {
public:
    explicit ChenardMoveOrder(const core::Game& game)
        : position_{game.position()},
          player_{position_.side_to_move()},
          en_passant_target_{game.en_passant_target()} {}

    std::vector<Move> generate() {
        for (int rank = 0; rank < 8; ++rank) {
            for (int file = 0; file < 8; ++file) {
                const Square square = Square::at(file, rank).relative_square(player_);
                const auto piece = position_.piece_on(square);
                if (piece && piece->color() == player_)
                    add_moves_of(piece->type(), square);
            }
        }
        return std::move(moves_);
    }

private:
    void add_moves_of(PieceType type, Square from) {
        switch (type) {
            case PieceType::pawn: add_pawn(from); break;
            case PieceType::knight: add_steps(from, knight_steps); break;
            case PieceType::bishop: add_rays(from, bishop_steps); break;
            case PieceType::rook: add_rays(from, rook_steps); break;
            case PieceType::queen: add_rays(from, queen_steps); break;
            case PieceType::king:
                add_steps(from, king_steps);
                add_castling(from, core::Side::king_side);
                add_castling(from, core::Side::queen_side);
                break;
        }
    }

    static std::optional<Square> next(Square from, Step step) {
        const int file = from.file() + step.files;
        const int rank = from.rank() + step.ranks;
        if (file < 0 || file > 7 || rank < 0 || rank > 7)
            return std::nullopt;
        return Square::at(file, rank);
    }
    bool is_empty(Square square) const { return !position_.pieces().contains(square); }
    bool is_own(Square square) const { return position_.pieces(player_).contains(square); }
    bool is_opponents(Square square) const { return position_.pieces(~player_).contains(square); }

    void add_steps(Square from, std::span<const Step> steps) {
        for (const Step step : steps) {
            const auto to = next(from, step);
            if (to && !is_own(*to))
                moves_.push_back(Move::normal(from, *to));
        }
    }

    void add_rays(Square from, std::span<const Step> steps) {
        for (const Step step : steps) {
            for (auto to = next(from, step); to && !is_own(*to); to = next(*to, step)) {
                moves_.push_back(Move::normal(from, *to));
                if (!is_empty(*to))
                    break;
            }
        }
    }

    void add_pawn(Square from) {
        const int ahead = player_ == Color::white ? 1 : -1;
        const auto to = next(from, {0, ahead});
        if (to && is_empty(*to)) {
            add_pawn_move(from, *to);
            const auto further = next(*to, {0, ahead});
            if (from.relative_rank(player_) == 1 && is_empty(*further))
                moves_.push_back(Move::normal(from, *further));
        }
        for (const int side : {1, -1}) {
            const auto target = next(from, {side, ahead});
            if (target && is_opponents(*target))
                add_pawn_move(from, *target);
            else if (target && is_en_passant(*target))
                moves_.push_back(Move::en_passant(from, *target));
        }
    }

    bool is_en_passant(Square target) const {
        return target == en_passant_target_ || target == position_.en_passant();
    }

    void add_pawn_move(Square from, Square to) {
        if (to.relative_rank(player_) < 7) {
            moves_.push_back(Move::normal(from, to));
            return;
        }
        for (const PieceType type : promotions)
            moves_.push_back(Move::promotion(from, to, type));
    }

    /// The king may not be in check nor cross an attacked square. The legality check that follows
    /// covers its target square.
    void add_castling(Square king, core::Side side) {
        const auto rook = position_.castling_rook(player_, side);
        if (!rook || position_.in_check())
            return;
        const int step = rook->file() > king.file() ? 1 : -1;
        for (int file = king.file() + step; file != rook->file(); file += step) {
            if (!is_empty(Square::at(file, king.rank())))
                return;
        }
        const Square crossed = Square::at(king.file() + step, king.rank());
        if (!position_.is_attacked(crossed, ~player_, position_.pieces()))
            moves_.push_back(Move::castling(king, *rook));
    }

    const Position& position_;
    Color player_;
    std::optional<Square> en_passant_target_;
    std::vector<Move> moves_;
};

std::string_view without_check(std::string_view text) {
    if (!text.empty() && (text.back() == '+' || text.back() == '#'))
        text.remove_suffix(1);
    return text;
}

/// Whether a text is a piece's move with its file, its rank or both, needed or not.
bool has_disambiguation(const Position& position, Move move, std::string_view text) {
    if (text.empty() || piece_letters.find(text.front()) == std::string_view::npos
        || move.kind() == Move::Kind::castling)
        return false;
    const std::string end = (position.is_capture(move) ? "x" : "") + move.to().name();
    const std::string origin = move.from().name();
    for (const auto& part : {origin.substr(0, 1), origin.substr(1, 1), origin}) {
        if (text.substr(1) == part + end)
            return true;
    }
    return false;
}

}  // namespace

std::string move_text(const Position& position, Move move, Format format) {
    return format == Format::pgn ? core::san(position, move)
                                 : core::to_uci(move, core::CastlingStyle::king_moves_two);
}

std::optional<Move> read_move_text(const Position& position, std::string_view text) {
    // ChenServer reads moves as C strings, which a NUL ends.
    text = text.substr(0, text.find('\0'));
    const auto found = core::read_move(position, text);
    if (!found)
        return std::nullopt;
    if (text == move_text(position, *found, Format::squares))
        return *found;
    if (text.size() < min_san_length || text.size() > max_san_length)
        return std::nullopt;
    const auto bare = without_check(text);
    const std::string san = move_text(position, *found, Format::pgn);
    if (bare == without_check(san) || has_disambiguation(position, *found, bare))
        return *found;
    return std::nullopt;
}

std::vector<Move> ordered_moves(const core::Game& game) {
    auto moves = ChenardMoveOrder{game}.generate();
    // Like Chenard, replace a move that leaves the king in check by the last one.
    for (std::size_t i = 0; i < moves.size();) {
        if (core::is_legal(game.position(), moves[i])) {
            ++i;
            continue;
        }
        moves[i] = moves.back();
        moves.pop_back();
    }
    return moves;
}

}  // namespace uci::chenserver
