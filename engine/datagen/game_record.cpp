#include "engine/datagen/game_record.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/movegen.hpp"

#include "engine/evaluate/endgames.hpp"

namespace engine::datagen {

namespace {

using core::Bitboard;
using core::Color;
using core::Move;
using core::PieceType;
using core::Square;

constexpr std::size_t head_size = 32;
constexpr std::size_t ply_size = 4;
constexpr std::size_t pieces_at = 8;
constexpr std::size_t state_at = 24;
constexpr std::size_t result_at = 30;
constexpr std::size_t sideline_at = 31;

constexpr unsigned unmoved_rook = 6;
constexpr unsigned black = 8;
constexpr unsigned no_en_passant = 64;
constexpr unsigned black_to_move = 128;

constexpr unsigned en_passant_kind = 1;
constexpr unsigned castling_kind = 2;
constexpr unsigned promotion_kind = 3;

/// Before this ply the random moves of the opening dominate.
constexpr int first_training_ply = 16;
/// With fewer pieces the endgame rules, not the network, decide the score.
constexpr int min_training_pieces = 5;

void put(std::string& bytes, std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i)
        bytes += static_cast<char>(number >> (8 * i) & 0xFF);
}

std::uint64_t get(std::string_view bytes, std::size_t offset, std::size_t count) {
    std::uint64_t number = 0;
    for (std::size_t i = count; i-- > 0;)
        number = number << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return number;
}

unsigned word_of(Move move) {
    const unsigned squares = move.bits() & 0xFFFU;
    switch (move.kind()) {
        case Move::Kind::castling: return squares | castling_kind << 14;
        case Move::Kind::en_passant: return squares | en_passant_kind << 14;
        case Move::Kind::promotion:
            return squares | static_cast<unsigned>(core::index_of(move.promoted_to()) - 1) << 12
                 | promotion_kind << 14;
        default: return squares;
    }
}

Move move_of(unsigned word) {
    const Square from{static_cast<int>(word & 63)};
    const Square to{static_cast<int>(word >> 6 & 63)};
    switch (word >> 14) {
        case castling_kind: return Move::castling(from, to);
        case en_passant_kind: return Move::en_passant(from, to);
        case promotion_kind:
            return Move::promotion(from, to, static_cast<PieceType>((word >> 12 & 3) + 1));
        default: return Move::normal(from, to);
    }
}

/// A score as a record has it, where a mate has no distance.
Score recorded(Score score) {
    if (!is_decisive(score))
        return score;
    return score > 0 ? mate : -mate;
}

unsigned piece_code(const core::Position& position, Square square) {
    const auto piece = position.piece_at_unchecked(square);
    const unsigned type = position.castling_rooks().contains(square)
                            ? unmoved_rook
                            : static_cast<unsigned>(core::index_of(piece.type()));
    return piece.color() == Color::white ? type : type | black;
}

void put_position(std::string& bytes, const core::Position& position) {
    put(bytes, position.pieces().bits(), 8);
    std::array<std::uint8_t, 16> codes{};
    std::size_t number = 0;
    for (const Square square : position.pieces()) {
        codes[number / 2] |=
            static_cast<std::uint8_t>(piece_code(position, square) << (number % 2 * 4));
        ++number;
    }
    bytes.append(codes.begin(), codes.end());
    const auto en_passant = position.en_passant();
    const unsigned square = en_passant ? static_cast<unsigned>(en_passant->index()) : no_en_passant;
    put(bytes, square | (position.side_to_move() == Color::white ? 0 : black_to_move), 1);
    put(bytes, static_cast<unsigned>(std::min(position.halfmove_clock(), 255)), 1);
    put(bytes, static_cast<unsigned>(position.fullmove_number()), 2);
    put(bytes, 0, 2);
}

/// The pieces; nothing when a code means none.
std::optional<core::Setup> get_pieces(std::string_view bytes) {
    core::Setup setup;
    const Bitboard occupied{get(bytes, 0, 8)};
    if (occupied.count() > 32)
        return std::nullopt;
    std::size_t number = 0;
    for (const Square square : occupied) {
        const auto pair = get(bytes, pieces_at + number / 2, 1);
        const unsigned code = static_cast<unsigned>(pair >> (number % 2 * 4)) & 15;
        const unsigned type = code & 7;
        if (type > unmoved_rook)
            return std::nullopt;
        if (type == unmoved_rook)
            setup.castling_rooks |= Bitboard{square};
        setup.board[core::index_of(square)] =
            core::Piece{code & black ? Color::black : Color::white,
                        type == unmoved_rook ? PieceType::rook : static_cast<PieceType>(type)};
        ++number;
    }
    return setup;
}

core::Result<core::Position> get_position(std::string_view bytes) {
    auto setup = get_pieces(bytes);
    if (!setup)
        return core::Error{"the first position has an unknown piece"};
    const auto state = static_cast<unsigned>(get(bytes, state_at, 1));
    setup->side_to_move = state & black_to_move ? Color::black : Color::white;
    const unsigned square = state & (black_to_move - 1);
    if (square < no_en_passant)
        setup->en_passant = Square{static_cast<int>(square)};
    setup->halfmove_clock = static_cast<int>(get(bytes, state_at + 1, 1));
    setup->fullmove_number = static_cast<int>(get(bytes, state_at + 2, 2));
    return core::Position::from(*setup);
}

}  // namespace

std::string write_game(const GameRecord& game) {
    std::string bytes;
    bytes.reserve(head_size + ply_size * (game.moves.size() + 1));
    put_position(bytes, game.start);
    put(bytes, static_cast<unsigned>(game.result.value_or(GameResult::drawn)), 1);
    put(bytes, game.result ? 0 : 1, 1);
    for (const auto& [move, score] : game.moves) {
        put(bytes, word_of(move), 2);
        put(bytes, static_cast<std::uint16_t>(recorded(score)), 2);
    }
    put(bytes, 0, ply_size);
    return bytes;
}

core::Result<GameRecord> GameReader::next() {
    const auto rest = bytes_.substr(offset_);
    if (rest.size() < head_size)
        return core::Error{"the last game is truncated in its first position"};
    const auto start = get_position(rest);
    if (!start)
        return start.error();
    GameRecord game;
    game.start = *start;
    const auto result = get(rest, result_at, 1);
    if (result > 2)
        return core::Error{"the result is not 0, 1 or 2"};
    game.result = static_cast<GameResult>(result);
    if (get(rest, sideline_at, 1) == 1)
        game.result.reset();
    core::Position position = game.start;
    for (std::size_t at = head_size; at + ply_size <= rest.size(); at += ply_size) {
        if (get(rest, at, ply_size) == 0) {
            offset_ += at + ply_size;
            return game;
        }
        const Move move = move_of(static_cast<unsigned>(get(rest, at, 2)));
        if (!core::is_legal(position, move))
            return core::Error{"ply " + std::to_string(game.moves.size() + 1)
                               + " is not a legal move"};
        const Score score = static_cast<std::int16_t>(get(rest, at + 2, 2));
        if (score < -mate || score > mate)
            return core::Error{"ply " + std::to_string(game.moves.size() + 1) + " has the score "
                               + std::to_string(score) + ", beyond a mate"};
        game.moves.push_back({move, recorded(score)});
        position = position.after(move);
    }
    return core::Error{"the last game is truncated"};
}

bool may_be_training_position(const core::Position& position) {
    return position.game_ply() >= first_training_ply && !position.in_check()
        && position.pieces().count() >= min_training_pieces;
}

bool is_training_position(const core::Position& position, const RecordedMove& move) {
    return may_be_training_position(position) && !position.is_noisy(move.move)
        && std::abs(move.score) < known_win;
}

}  // namespace engine::datagen
