#include "uci/chezz/decode.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/movegen.hpp"

#include "uci/chezz/encode.hpp"

namespace uci::chezz {

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

std::optional<Error> fault_of_turn(int value) {
    if ((value & turn_mask) > 1)
        return Error{"turn: byte 0 is " + std::to_string(value) + ", whose lower two bits are "
                     + std::to_string(value & turn_mask) + " and name no player"};
    const int version = value >> version_shift;
    if (version != 0 && version != server_version)
        return Error{"version: " + std::to_string(version) + " is not known"};
    if (version == 0 && (value & double_step_flag) != 0)
        return Error{"version: byte 0 is " + std::to_string(value)
                     + ", as in an older layout with the board upside down"};
    return std::nullopt;
}

std::optional<Error> fault_of_head(View bytes) {
    if (auto fault = fault_of_turn(bytes[turn_at]))
        return fault;
    const auto beyond = [&](std::size_t at, int most, const char* name) -> std::optional<Error> {
        if (bytes[at] <= most)
            return std::nullopt;
        return Error{std::string{name} + ": " + number(bytes[at]) + " is more than "
                     + std::to_string(most)};
    };
    if (auto fault = beyond(check_at, nobody_in_check, "player in check"))
        return fault;
    if (auto fault = beyond(status_at, static_cast<int>(Status::stalemate), "end of the game"))
        return fault;
    return beyond(rights_at, all_castling_rights, "castling rights");
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

std::optional<Error> fault_of_board(View board) {
    for (std::size_t i = 0; i < board.size(); ++i) {
        if (board[i] != 0 && !is_piece(board[i]))
            return Error{"board: " + Square{static_cast<int>(i)}.name() + " holds "
                         + number(board[i]) + ", which is no piece"};
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

std::optional<Error> fault_of_captured(View captured) {
    for (const int value : captured) {
        if (!is_piece(value))
            return Error{"captured pieces: " + std::to_string(value) + " is no piece"};
    }
    return std::nullopt;
}

/// A move as the bytes name it; the rules have not been asked yet.
struct WrittenMove {
    Square from;
    Square to;
    int tag = 0;  ///< 0: none
};

/// The move that begins a view, which is not empty.
Result<WrittenMove> read_written(View bytes) {
    if (bytes.size() < 2)
        return Error{"is cut off"};
    const int from = bytes[0];
    const int to = bytes[1] & ~tag_flag;
    if (from > square_mask || to > square_mask)
        return Error{std::to_string(std::max(from, to)) + " is no square"};
    WrittenMove move{Square{from}, Square{to}};
    if ((bytes[1] & tag_flag) == 0)
        return move;
    if (bytes.size() < 3)
        return Error{"is cut off before its tag"};
    if (bytes[2] < 1 || bytes[2] > en_passant_tag)
        return Error{number(bytes[2]) + " is no tag"};
    move.tag = bytes[2];
    return move;
}

std::size_t length_of(const WrittenMove& move) {
    return move.tag == 0 ? 2 : 3;
}

/// The castling move that a king's move of two squares stands for.
std::optional<Move> castling_meant(const Position& position, const WrittenMove& written) {
    const Color us = position.side_to_move();
    if (written.from != position.king(us))
        return std::nullopt;
    for (const core::Side side : core::both_sides) {
        const auto rook = position.castling_rook(us, side);
        if (rook && written.to == core::castled_king(us, side))
            return Move::castling(written.from, *rook);
    }
    return std::nullopt;
}

Move move_meant(const Position& position, const WrittenMove& written) {
    if (written.tag == en_passant_tag)
        return Move::en_passant(written.from, written.to);
    if (written.tag != 0)
        return Move::promotion(written.from, written.to,
                               tagged_promotions[static_cast<std::size_t>(written.tag) - 1]);
    return castling_meant(position, written).value_or(Move::normal(written.from, written.to));
}

Result<core::Game> replay(View history) {
    core::Game game;
    while (!history.empty()) {
        const auto refuse = [&](const std::string& why) {
            return Error{"move " + number(game.moves().size() + 1) + ": " + why};
        };
        const auto written = read_written(history);
        if (!written)
            return refuse(written.reason());
        const Move move = move_meant(game.position(), *written);
        if (!is_legal(game.position(), move))
            return refuse(written->from.name() + written->to.name()
                          + (written->tag == 0 ? "" : " with tag " + std::to_string(written->tag))
                          + " is not legal there");
        game.play(move);
        history = history.subspan(length_of(*written));
    }
    return game;
}

/// What the first byte that differs from what the moves give is about.
Error disagreement(std::size_t at) {
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

/// The forms that bytes with such a first byte may have, the right one first.
std::vector<Form> possible_forms(int turn) {
    if (turn >> version_shift == 0)
        return {Form::front_end};
    return {Form::server, Form::flawed_server};
}

Result<State> agreed(const core::Game& game, View bytes) {
    std::optional<std::size_t> first_difference;
    for (const Form form : possible_forms(bytes[turn_at])) {
        const auto expected = encode(game, form);
        const auto [at, unused] =
            std::mismatch(bytes.begin(), bytes.end(), expected->begin(), expected->end());
        if (at == bytes.end() && bytes.size() == expected->size())
            return State{game, form};
        if (!first_difference)
            first_difference = static_cast<std::size_t>(at - bytes.begin());
    }
    return disagreement(*first_difference);
}

}  // namespace

Result<State> decode(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < fewest_bytes)
        return Error{"a game has at least " + number(fewest_bytes) + " bytes, here are "
                     + number(bytes.size())};
    if (auto fault = fault_of_head(bytes))
        return *fault;
    if (auto fault = fault_of_board(bytes.subspan(board_at, Square::count)))
        return *fault;
    const View rest = bytes.subspan(captured_at);
    const auto end = std::find(rest.begin(), rest.end(), 0);
    if (end == rest.end())
        return Error{"captured pieces: the list has no end"};
    const auto captured = static_cast<std::size_t>(end - rest.begin());
    if (auto fault = fault_of_captured(rest.first(captured)))
        return *fault;
    const auto game = replay(rest.subspan(captured + 1));
    if (!game)
        return game.error();
    return agreed(*game, bytes);
}

}  // namespace uci::chezz
