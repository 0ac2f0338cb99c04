#include "uci/chezz/codec/decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/movegen.hpp"

#include "uci/chezz/codec/encode.hpp"

namespace uci::chezz::codec {

namespace {

using core::Color;
using core::Error;
using core::Move;
using core::PieceType;
using core::Position;
using core::Result;
using core::Square;

using View = std::span<const std::uint8_t>;

std::string number(std::size_t value) {
    return std::to_string(value);
}

std::optional<Error> validate_turn(int value) {
    if ((value & turn_mask) > 1)
        return Error{"turn: byte 0 is " + std::to_string(value) + ", whose lower two bits are "
                     + std::to_string(value & turn_mask) + ", which is not a side"};
    const int version = value >> version_shift;
    if (version != 0 && version != server_version)
        return Error{"version: " + std::to_string(version) + " is unknown"};
    if (version == 0 && (value & double_step_flag) != 0)
        return Error{"version: byte 0 is " + std::to_string(value)
                     + ", as in an older layout with the board upside down"};
    return std::nullopt;
}

std::optional<Error> validate_header(View bytes) {
    if (auto error = validate_turn(bytes[turn_at]))
        return error;
    const auto validate_max = [&](std::size_t at, int max,
                                  const char* name) -> std::optional<Error> {
        if (bytes[at] <= max)
            return std::nullopt;
        return Error{std::string{name} + ": " + number(bytes[at]) + " is more than "
                     + std::to_string(max)};
    };
    if (auto error = validate_max(check_at, nobody_in_check, "player in check"))
        return error;
    if (auto error =
            validate_max(status_at, static_cast<int>(Status::stalemate), "end of the game"))
        return error;
    return validate_max(rights_at, all_castling_rights, "castling rights");
}

bool is_piece(int value) {
    const int type = value & type_mask;
    return value < 2 * moved_flag && type >= 1 && type <= static_cast<int>(numbered_types.size());
}

bool is_king(int value, Color color) {
    const Color owner = (value & black_flag) != 0 ? Color::black : Color::white;
    return owner == color && is_piece(value)
        && numbered_types[static_cast<std::size_t>(value & type_mask) - 1] == PieceType::king;
}

std::optional<Error> validate_board(View board) {
    for (std::size_t i = 0; i < board.size(); ++i) {
        if (board[i] != 0 && !is_piece(board[i]))
            return Error{"board: " + Square{static_cast<int>(i)}.name() + " holds "
                         + number(board[i]) + ", which is not a piece"};
    }
    for (const Color color : core::both_colors) {
        const auto kings = std::count_if(board.begin(), board.end(),
                                         [&](int value) { return is_king(value, color); });
        if (kings != 1)
            return Error{"board: " + std::string{name(color)} + " has " + std::to_string(kings)
                         + " kings"};
    }
    return std::nullopt;
}

std::optional<Error> validate_captured(View captured) {
    for (const int value : captured) {
        if (!is_piece(value))
            return Error{"captured pieces: " + std::to_string(value) + " is not a piece"};
    }
    return std::nullopt;
}

/// A move as the bytes give it, not yet checked for legality.
struct EncodedMove {
    Square from;
    Square to;
    int tag = 0;  ///< 0: none
};

/// Reads the move at the begin of a view, which is not empty.
Result<EncodedMove> read_encoded_move(View bytes) {
    if (bytes.size() < 2)
        return Error{"is truncated"};
    const int from = bytes[0];
    const int to = bytes[1] & ~tag_flag;
    if (from > square_mask || to > square_mask)
        return Error{std::to_string(std::max(from, to)) + " is not a square"};
    EncodedMove move{Square{from}, Square{to}};
    if ((bytes[1] & tag_flag) == 0)
        return move;
    if (bytes.size() < 3)
        return Error{"is truncated before its tag"};
    if (bytes[2] < 1 || bytes[2] > en_passant_tag)
        return Error{number(bytes[2]) + " is not a tag"};
    move.tag = bytes[2];
    return move;
}

std::size_t length_of(const EncodedMove& move) {
    return move.tag == 0 ? 2 : 3;
}

/// The castling move that is encoded as a king's move of two squares, if it is one.
std::optional<Move> castling_of(const Position& position, const EncodedMove& encoded) {
    const Color us = position.side_to_move();
    if (encoded.from != position.king(us))
        return std::nullopt;
    for (const core::Side side : core::both_sides) {
        const auto rook = position.castling_rook(us, side);
        if (rook && encoded.to == core::castled_king(us, side))
            return Move::castling(encoded.from, *rook);
    }
    return std::nullopt;
}

Move move_of(const Position& position, const EncodedMove& encoded) {
    if (encoded.tag == en_passant_tag)
        return Move::en_passant(encoded.from, encoded.to);
    if (encoded.tag != 0)
        return Move::promotion(encoded.from, encoded.to,
                               tagged_promotions[static_cast<std::size_t>(encoded.tag) - 1]);
    return castling_of(position, encoded).value_or(Move::normal(encoded.from, encoded.to));
}

Result<core::Game> replay(View moves) {
    core::Game game;
    while (!moves.empty()) {
        const auto reject = [&](const std::string& why) {
            return Error{"move " + number(game.moves().size() + 1) + ": " + why};
        };
        const auto encoded = read_encoded_move(moves);
        if (!encoded)
            return reject(encoded.reason());
        const Move move = move_of(game.position(), *encoded);
        if (!is_legal(game.position(), move))
            return reject(encoded->from.name() + encoded->to.name()
                          + (encoded->tag == 0 ? "" : " with tag " + std::to_string(encoded->tag))
                          + " is not legal there");
        game.play(move);
        moves = moves.subspan(length_of(*encoded));
    }
    return game;
}

/// Names the field of the first byte that differs from the one that the moves lead to.
Error mismatch_at(std::size_t at) {
    constexpr std::array names{"turn and double step", "player in check", "end of the game",
                               "castling rights"};
    static_assert(names.size() == board_at);
    std::string what = "captured pieces";
    if (at < board_at)
        what = names[at];
    else if (at < captured_at)
        what = "board: " + Square{static_cast<int>(at - board_at)}.name();
    return Error{what + ": not what the moves lead to"};
}

/// The formats that allow this first byte, the one without the bug first.
std::vector<StateFormat> possible_formats(int turn) {
    if (turn >> version_shift == 0)
        return {StateFormat::front_end};
    return {StateFormat::server, StateFormat::server_with_capture_bug};
}

Result<DecodedGame> check_against_moves(const core::Game& game, View bytes) {
    std::optional<std::size_t> first_difference;
    for (const StateFormat format : possible_formats(bytes[turn_at])) {
        const auto expected = encode(game, format);
        const auto [at, unused] =
            std::mismatch(bytes.begin(), bytes.end(), expected->begin(), expected->end());
        if (at == bytes.end() && bytes.size() == expected->size())
            return DecodedGame{game, format};
        if (!first_difference)
            first_difference = static_cast<std::size_t>(at - bytes.begin());
    }
    return mismatch_at(*first_difference);
}

}  // namespace

Result<DecodedGame> decode(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < min_bytes)
        return Error{"a game has at least " + number(min_bytes) + " bytes, this one has "
                     + number(bytes.size())};
    if (auto error = validate_header(bytes))
        return *error;
    if (auto error = validate_board(bytes.subspan(board_at, Square::count)))
        return *error;
    const View rest = bytes.subspan(captured_at);
    const auto end = std::find(rest.begin(), rest.end(), 0);
    if (end == rest.end())
        return Error{"captured pieces: the list has no end"};
    const auto captured = static_cast<std::size_t>(end - rest.begin());
    if (auto error = validate_captured(rest.first(captured)))
        return *error;
    const auto game = replay(rest.subspan(captured + 1));
    if (!game)
        return game.error();
    return check_against_moves(*game, bytes);
}

}  // namespace uci::chezz::codec
