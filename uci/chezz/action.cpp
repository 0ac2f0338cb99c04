#include "uci/chezz/action.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/attacks.hpp"
#include "core/movegen.hpp"

#include "uci/chezz/notation.hpp"

namespace uci::chezz {

namespace {

using core::Bitboard;
using core::Color;
using core::Move;
using core::PieceType;
using core::Position;
using core::Square;

constexpr std::string_view resign_command{"resign"};
constexpr std::string_view draw_command{"draw"};

using Validation = std::variant<Action, Rejection>;

Rejection rejection(std::string_view code, std::string text) {
    return {code, std::move(text)};
}

Rejection rejection_after(const Ending& ending) {
    if (ending.reason == EndReason::checkmate)
        return rejection("CHECKMATE", "Game in checkmate");
    if (ending.reason == EndReason::stalemate)
        return rejection("STALEMATE", "Game in stalemate");
    return rejection("GAME_OVER", fmt::format("Game ended by {}", name(ending.reason)));
}

std::vector<int> indices(Bitboard squares) {
    std::vector<int> numbers;
    for (const Square square : squares)
        numbers.push_back(square.index());
    return numbers;
}

/// The pseudo-legal targets of a pawn: pushes, then captures.
std::vector<int> pawn_targets(const Position& position, Square from) {
    const Color us = position.side_to_move();
    const int forward = us == Color::white ? 8 : -8;
    std::vector<int> targets;
    for (int step = 1; step <= (from.relative_rank(us) == 1 ? 2 : 1); ++step) {
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

/// The pseudo-legal targets of another piece; for a king also legal castling.
std::vector<int> piece_targets(const Position& position, Square from, PieceType type) {
    const Color us = position.side_to_move();
    Bitboard targets = piece_attacks(type, from, position.pieces()) & ~position.pieces(us);
    for (const Move move : legal_moves(position, core::MoveKinds::quiet)) {
        if (type == PieceType::king && move.kind() == Move::Kind::castling)
            targets |= Bitboard{castled_king(us, side_of_castling(move))};
    }
    return indices(targets);
}

/// Why a move is not legal; the checks come in chezz-back's order.
Rejection reject_illegal_move(const Position& position, Square from, Square to) {
    const Bitboard own = position.pieces(position.side_to_move());
    if (!own.contains(from))
        return rejection("INVALID_PIECE_SELECTED", "No piece selected or piece not owned");
    if (own.contains(to))
        return rejection("INVALID_POSITION",
                         "Move position invalid, already occupied by another piece");
    const PieceType type = position.piece_at_unchecked(from).type();
    const bool pawn = type == PieceType::pawn;
    const auto targets = pawn ? pawn_targets(position, from) : piece_targets(position, from, type);
    if (std::find(targets.begin(), targets.end(), to.index()) != targets.end())
        return rejection("MOVE_IN_CHECK", "Move should not result in check");
    return rejection(
        "MOVE_NOT_ALLOWED",
        fmt::format("{}, allowed{} [{}]", pawn ? "not a valid movement" : "invalid movement",
                    pawn ? " moves" : "", fmt::join(targets, " ")));
}

/// The promotion to a queen, if these squares are a legal promotion.
std::optional<Move> queen_promotion(const Position& position, Square from, Square to) {
    const Move queen = Move::promotion(from, to, PieceType::queen);
    return is_legal(position, queen) ? std::optional{queen} : std::nullopt;
}

Validation validate_move(const Position& position, const Rules& rules, std::string_view text) {
    const Square from = *Square::read(text.substr(0, 2));
    const Square to = *Square::read(text.substr(2, 2));
    const bool has_letter = text.size() > 4;
    const auto queen = queen_promotion(position, from, to);
    if (queen && !has_letter && !rules.queen_by_default)
        return rejection("MOVE_MISSING_PROMOTION", "move requires promotion");
    if (queen && !has_letter)
        return *queen;
    if (const auto move = read_move_text(position, text))
        return *move;
    if (has_letter && read_move_text(position, text.substr(0, 4)))
        return rejection("UNPARSEABLE_MOVE", "Could not parse move.");
    return reject_illegal_move(position, from, to);
}

/// Validates "resign" and "draw", which players may send in the other's turn as well.
Validation validate_command(const GameState& state,
                            const Rules& rules,
                            UserId user,
                            std::string_view command) {
    const auto relation = relation_of(state, user);
    if (relation == Relation::observer)
        return rejection("NOT_A_PLAYER", "not a player of this game");
    if (const auto ending = ending_of(state, rules))
        return rejection_after(*ending);
    if (command == resign_command)
        return Resignation{relation == Relation::white ? Color::white : Color::black};
    if (claimable_draw(state, rules))
        return DrawClaim{};
    return rejection("NO_DRAW", "there is no draw to claim");
}

}  // namespace

std::variant<Action, Rejection> validate(const GameState& state,
                                         const Rules& rules,
                                         UserId user,
                                         std::string_view message) {
    if (message == resign_command || message == draw_command)
        return validate_command(state, rules, user, message);
    const Position& position = state.game.position();
    if (state.seat(position.side_to_move()) != user)
        return rejection("NOT_YOUR_TURN", "not your turn");
    if (!has_move_form(message))
        return rejection("UNPARSEABLE_MOVE", "Could not parse move.");
    if (const auto ending = ending_of(state, rules))
        return rejection_after(*ending);
    return validate_move(position, rules, message);
}

GameState apply_action(GameState state, const Action& action) {
    if (const auto* move = std::get_if<Move>(&action))
        state.game.play(*move);
    else if (const auto* resignation = std::get_if<Resignation>(&action))
        state.resigned = resignation->player;
    else if (std::holds_alternative<DrawClaim>(action))
        state.draw_claimed = true;
    return state;
}

}  // namespace uci::chezz
