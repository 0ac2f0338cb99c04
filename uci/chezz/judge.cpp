#include "uci/chezz/judge.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/attacks.hpp"
#include "core/movegen.hpp"

#include "uci/chezz/move_text.hpp"

namespace uci::chezz {

namespace {

using core::Bitboard;
using core::Color;
using core::Move;
using core::PieceType;
using core::Position;
using core::Square;

constexpr std::string_view resign_word{"resign"};
constexpr std::string_view draw_word{"draw"};

Refusal refusal(std::string_view code, std::string text) {
    return {code, std::move(text)};
}

Refusal refusal_of_ended(const Ending& ending) {
    if (ending.reason == EndReason::checkmate)
        return refusal("CHECKMATE", "Game in checkmate");
    if (ending.reason == EndReason::stalemate)
        return refusal("STALEMATE", "Game in stalemate");
    return refusal("GAME_OVER", fmt::format("Game ended by {}", name(ending.reason)));
}

std::vector<int> indices(Bitboard squares) {
    std::vector<int> numbers;
    for (const Square square : squares)
        numbers.push_back(square.index());
    return numbers;
}

/// Where a pawn may go if its king's safety is left aside: forward, then taking.
std::vector<int> pawn_targets(const Position& position, Square from) {
    const Color us = position.side_to_move();
    const int forward = us == Color::white ? 8 : -8;
    std::vector<int> targets;
    for (int step = 1; step <= (from.rank_for(us) == 1 ? 2 : 1); ++step) {
        const Square to{from.index() + step * forward};
        if (position.piece_on(to))
            break;
        targets.push_back(to.index());
    }
    Bitboard taken = position.pieces(~us);
    if (const auto square = position.en_passant())
        taken |= Bitboard{*square};
    const auto captures = indices(pawn_attacks(us, from) & taken);
    targets.insert(targets.end(), captures.begin(), captures.end());
    return targets;
}

/// The same for other pieces; a king may also castle where that is legal.
std::vector<int> piece_targets(const Position& position, Square from, PieceType type) {
    const Color us = position.side_to_move();
    Bitboard targets = piece_attacks(type, from, position.pieces()) & ~position.pieces(us);
    for (const Move move : legal_moves(position, core::MoveKinds::quiet)) {
        if (type == PieceType::king && move.kind() == Move::Kind::castling)
            targets |= Bitboard{castled_king(us, side_of_castling(move))};
    }
    return indices(targets);
}

/// Why two squares are no legal move, in chezz-back's order.
Refusal fault_of_move(const Position& position, Square from, Square to) {
    const Bitboard own = position.pieces(position.side_to_move());
    if (!own.contains(from))
        return refusal("INVALID_PIECE_SELECTED", "No piece selected or piece not owned");
    if (own.contains(to))
        return refusal("INVALID_POSITION",
                       "Move position invalid, already occupied by another piece");
    const PieceType type = position.known_piece_on(from).type();
    const bool pawn = type == PieceType::pawn;
    const auto targets = pawn ? pawn_targets(position, from) : piece_targets(position, from, type);
    if (std::find(targets.begin(), targets.end(), to.index()) != targets.end())
        return refusal("MOVE_IN_CHECK", "Move should not result in check");
    return refusal(
        "MOVE_NOT_ALLOWED",
        fmt::format("{}, allowed{} [{}]", pawn ? "not a valid movement" : "invalid movement",
                    pawn ? " moves" : "", fmt::join(targets, " ")));
}

/// Whether a text is two squares and perhaps a letter; what the letter means, the rules tell.
bool has_shape_of_move(std::string_view text) {
    constexpr std::string_view letters{"nbrqNBRQ"};
    return (text.size() == 4 || (text.size() == 5 && letters.find(text[4]) != text.npos))
        && Square::read(text.substr(0, 2)) && Square::read(text.substr(2, 2));
}

/// What a move must be that a text without a letter stands for, if it is a promotion.
std::optional<Move> bare_promotion(const Position& position, Square from, Square to) {
    const Move queen = Move::promotion(from, to, PieceType::queen);
    return is_legal(position, queen) ? std::optional{queen} : std::nullopt;
}

Verdict judge_move(const Position& position, const Rules& rules, std::string_view text) {
    const Square from = *Square::read(text.substr(0, 2));
    const Square to = *Square::read(text.substr(2, 2));
    const bool has_letter = text.size() > 4;
    const auto queen = bare_promotion(position, from, to);
    if (queen && !has_letter && !rules.queen_by_default)
        return refusal("MOVE_MISSING_PROMOTION", "move requires promotion");
    if (queen && !has_letter)
        return *queen;
    if (const auto move = read_move_text(position, text))
        return *move;
    if (has_letter && read_move_text(position, text.substr(0, 4)))
        return refusal("UNPARSEABLE_MOVE", "Could not parse move.");
    return fault_of_move(position, from, to);
}

/// What players may do in the other's turn as well.
Verdict judge_word(const Table& table, const Rules& rules, UserId user, std::string_view word) {
    const auto relation = relation_of(table, user);
    if (relation == Relation::observer)
        return refusal("NOT_A_PLAYER", "not a player of this game");
    if (const auto ending = ending_of(table, rules))
        return refusal_of_ended(*ending);
    if (word == resign_word)
        return Resignation{relation == Relation::white ? Color::white : Color::black};
    if (claimable_draw(table, rules))
        return DrawClaim{};
    return refusal("NO_DRAW", "there is no draw to claim");
}

}  // namespace

Verdict judge(const Table& table, const Rules& rules, UserId user, std::string_view message) {
    if (message == resign_word || message == draw_word)
        return judge_word(table, rules, user, message);
    const Position& position = table.game.position();
    if (table.seat(position.side_to_move()) != user)
        return refusal("NOT_YOUR_TURN", "not your turn");
    if (!has_shape_of_move(message))
        return refusal("UNPARSEABLE_MOVE", "Could not parse move.");
    if (const auto ending = ending_of(table, rules))
        return refusal_of_ended(*ending);
    return judge_move(position, rules, message);
}

Table obeyed(Table table, const Verdict& verdict) {
    if (const auto* move = std::get_if<Move>(&verdict))
        table.game.play(*move);
    else if (const auto* resignation = std::get_if<Resignation>(&verdict))
        table.resigned = resignation->player;
    else if (std::holds_alternative<DrawClaim>(verdict))
        table.draw_claimed = true;
    return table;
}

}  // namespace uci::chezz
