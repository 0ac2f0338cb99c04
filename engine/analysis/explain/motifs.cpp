#include "engine/analysis/explain/motifs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/attacks.hpp"
#include "core/movegen.hpp"

#include "engine/analysis/explain/material.hpp"

namespace engine::explain {

namespace {

using core::Bitboard;
using core::Color;
using core::Move;
using core::PieceType;
using core::Position;
using core::Square;

bool is_slider(PieceType type) {
    return type == PieceType::bishop || type == PieceType::rook || type == PieceType::queen;
}

/// The squares that the piece on a square attacks.
Bitboard attacks_from(const Position& position, Square square) {
    const auto piece = position.piece_at_unchecked(square);
    return piece.type() == PieceType::pawn
             ? core::pawn_attacks(piece.color(), square)
             : core::piece_attacks(piece.type(), square, position.pieces());
}

bool attacks(const Position& position, Square from, Square to) {
    return attacks_from(position, from).contains(to);
}

/// Where a captured piece stands, which is another square than the target en passant.
Square victim_square(Move move) {
    return move.kind() == Move::Kind::en_passant ? Square::at(move.to().file(), move.from().rank())
                                                 : move.to();
}

bool has_legal_capture(const Position& position, Square square) {
    const auto moves = core::legal_moves(position);
    return std::any_of(moves.begin(), moves.end(),
                       [&](Move move) { return move.to() == square && position.is_capture(move); });
}

bool is_defended(const Position& position, Square square, Color by) {
    return position.is_attacked(square, by, position.pieces());
}

/// The square of the first piece that a slider on `from` meets beyond `through`.
std::optional<Square> behind(const Position& position, Square from, Square through) {
    const auto type = position.piece_at_unchecked(from).type();
    const Bitboard without = position.pieces() & ~Bitboard{through};
    for (const Square square : core::piece_attacks(type, from, without) & position.pieces()) {
        if (core::between(from, square).contains(through))
            return square;
    }
    return std::nullopt;
}

/// Whether a piece is pinned to its king by an enemy slider.
bool is_pinned(const Position& position, Square square) {
    const auto color = position.piece_at_unchecked(square).color();
    const Bitboard without = position.pieces() & ~Bitboard{square};
    const auto king = position.king(color);
    for (const Square pinner : position.pieces(~color)) {
        const auto type = position.piece_at_unchecked(pinner).type();
        if (is_slider(type) && core::between(king, pinner).contains(square)
            && core::piece_attacks(type, pinner, without).contains(king))
            return true;
    }
    return false;
}

/// What the detectors look at: the line with the positions around its first moves. "First" and
/// "second" are the winner's moves.
struct MotifContext {
    Position start;
    Position after_first;
    Position after_answer;  ///< as after_first if there is no second move
    Move first;
    std::optional<Move> answer;
    std::optional<Move> second;
    std::optional<Move> promotion;  ///< the winner's first one
    int amount = 0;

    Color victim() const { return ~start.side_to_move(); }
    bool first_captures() const { return start.is_capture(first); }
    bool second_captures() const { return second && after_answer.is_capture(*second); }
    /// The victim's piece that the second move captures, if it has not moved since the first.
    std::optional<Square> standing_target() const {
        if (!second_captures())
            return std::nullopt;
        const auto square = victim_square(*second);
        const auto piece = after_first.piece_on(square);
        if (answer->to() == square || !piece || piece->color() != victim())
            return std::nullopt;
        return square;
    }
};

MotifContext context_of(const Position& start, const std::vector<Move>& moves, int amount) {
    const Position after_first = start.after(moves[0]);
    MotifContext line{start, after_first, after_first, moves[0], {}, {}, {}, amount};
    if (moves.size() >= 3) {
        line.answer = moves[1];
        line.second = moves[2];
        line.after_answer = after_first.after(moves[1]);
    }
    for (std::size_t i = 0; i < moves.size(); i += 2) {
        if (!line.promotion && moves[i].is_promotion())
            line.promotion = moves[i];
    }
    return line;
}

using Detected = std::optional<FoundMotif>;

// ---- The first move captures.

Detected find_moved_into_attack(const MotifContext& line, const PlayedMove& played) {
    const auto target = victim_square(line.first);
    if (played.move.kind() == Move::Kind::castling || played.move.to() != target)
        return std::nullopt;
    return FoundMotif{
        played.before.is_capture(played.move) ? Motif::poor_trade : Motif::moved_into_attack,
        {target}};
}

Detected find_pinned_defender(const MotifContext& line) {
    const auto target = line.first.to();
    const auto& position = line.after_first;
    if (has_legal_capture(position, target) || position.in_check())
        return std::nullopt;
    for (const Square defender : position.pieces(line.victim())) {
        const auto type = position.piece_at_unchecked(defender).type();
        if (type != PieceType::king && attacks(position, defender, target)
            && is_pinned(position, defender))
            return FoundMotif{Motif::pinned_defender, {target, defender}};
    }
    return std::nullopt;
}

Detected find_defender_left(const MotifContext& line, const PlayedMove& played) {
    const auto target = victim_square(line.first);
    const auto from = played.move.from();
    if (played.move.kind() == Move::Kind::castling || from == target
        || !attacks(played.before, from, target) || !line.start.piece_on(played.move.to())
        || attacks(line.start, played.move.to(), target))
        return std::nullopt;
    return FoundMotif{Motif::defender_left, {target, from}};
}

Detected find_line_opened(const MotifContext& line, const PlayedMove& played) {
    const auto target = victim_square(line.first);
    if (played.move.kind() == Move::Kind::castling
        || !is_slider(line.start.piece_at_unchecked(line.first.from()).type())
        || !core::between(line.first.from(), target).contains(played.move.from()))
        return std::nullopt;
    return FoundMotif{Motif::line_opened, {target}};
}

/// The defender recaptures, and the second move captures what it has left.
Detected find_overloaded(const MotifContext& line) {
    const auto second = line.standing_target();
    if (!second || line.answer->to() != line.first.to() || *second == line.first.to())
        return std::nullopt;
    const auto defender = line.answer->from();
    if (line.after_first.piece_at_unchecked(defender).type() == PieceType::king
        || !attacks(line.after_first, defender, *second)
        || attacks(line.after_answer, line.answer->to(), *second))
        return std::nullopt;
    return FoundMotif{Motif::overloaded, {defender, line.first.to(), *second}};
}

Detected find_defender_removed(const MotifContext& line) {
    const auto second = line.standing_target();
    const auto defender = victim_square(line.first);
    if (!second || *second == defender || !attacks(line.start, defender, *second))
        return std::nullopt;
    return FoundMotif{Motif::defender_removed, {defender, *second}};
}

Detected find_exchange(const MotifContext& line) {
    const auto taker = line.start.piece_at_unchecked(line.first.from()).type();
    const auto target = line.start.piece_on(line.first.to());
    constexpr int exchange = 2;
    if ((taker != PieceType::knight && taker != PieceType::bishop) || !target
        || target->type() != PieceType::rook || line.amount != exchange)
        return std::nullopt;
    return FoundMotif{Motif::exchange, {line.first.to()}};
}

Detected find_undefended(const MotifContext& line) {
    const auto target = victim_square(line.first);
    const auto value = value_of(line.start.piece_at_unchecked(target).type());
    if (line.amount < value || has_legal_capture(line.after_first, line.first.to()))
        return std::nullopt;
    return FoundMotif{Motif::undefended, {target}};
}

FoundMotif motif_of_capture(const MotifContext& line, const std::optional<PlayedMove>& played) {
    using Detector = Detected (*)(const MotifContext&);
    using DetectorOfPlayed = Detected (*)(const MotifContext&, const PlayedMove&);
    if (auto found = find_exchange(line))
        return *found;
    if (played) {
        for (const DetectorOfPlayed find :
             {find_moved_into_attack, find_defender_left, find_line_opened}) {
            if (auto found = find(line, *played))
                return *found;
        }
    }
    for (const Detector find :
         {find_pinned_defender, find_undefended, find_overloaded, find_defender_removed}) {
        if (auto found = find(line))
            return *found;
    }
    return {};
}

// ---- The first move threatens.

/// The king, more valuable pieces and undefended pieces that a piece attacks.
std::vector<Square> threatened_pieces(const Position& position, Square attacker, Color victim) {
    const auto value = value_of(position.piece_at_unchecked(attacker).type());
    std::vector<Square> targets;
    for (const Square square : attacks_from(position, attacker) & position.pieces(victim)) {
        const auto type = position.piece_at_unchecked(square).type();
        if (type == PieceType::king || value_of(type) > value
            || !is_defended(position, square, victim))
            targets.push_back(square);
    }
    return targets;
}

Detected find_fork(const MotifContext& line) {
    const auto attacker = line.first.to();
    if (!line.second_captures() || line.second->from() != attacker)
        return std::nullopt;
    const auto targets = threatened_pieces(line.after_first, attacker, line.victim());
    if (targets.size() < 2
        || std::find(targets.begin(), targets.end(), victim_square(*line.second)) == targets.end())
        return std::nullopt;
    FoundMotif found{Motif::fork, {attacker}};
    found.squares.insert(found.squares.end(), targets.begin(), targets.end());
    return found;
}

/// The slider and the piece that the second move captures with it, if it moved there first.
std::optional<std::pair<Square, Square>> slider_and_target(const MotifContext& line) {
    const auto target = line.standing_target();
    if (!target || line.second->from() != line.first.to()
        || !is_slider(line.after_first.piece_at_unchecked(line.first.to()).type()))
        return std::nullopt;
    return std::pair{line.first.to(), *target};
}

Detected find_skewer(const MotifContext& line) {
    const auto found = slider_and_target(line);
    if (!found)
        return std::nullopt;
    const auto [slider, back] = *found;
    const auto front = line.answer->from();
    const auto& position = line.after_first;
    if (!attacks(position, slider, front) || behind(position, slider, front) != back)
        return std::nullopt;
    const auto type = position.piece_at_unchecked(front).type();
    const auto back_type = position.piece_at_unchecked(back).type();
    if (type != PieceType::king && value_of(type) < value_of(back_type))
        return std::nullopt;
    return FoundMotif{Motif::skewer, {slider, front, back}};
}

Detected find_pin(const MotifContext& line) {
    const auto found = slider_and_target(line);
    if (!found)
        return std::nullopt;
    const auto [slider, target] = *found;
    const auto& position = line.after_first;
    if (!attacks(position, slider, target))
        return std::nullopt;
    const auto shielded = behind(position, slider, target);
    if (!shielded || position.piece_at_unchecked(*shielded).color() != line.victim())
        return std::nullopt;
    const auto type = position.piece_at_unchecked(*shielded).type();
    if (type != PieceType::king
        && value_of(type) <= value_of(position.piece_at_unchecked(target).type()))
        return std::nullopt;
    return FoundMotif{Motif::pin, {slider, target, *shielded}};
}

/// The piece must still be pinned where it is captured.
Detected find_pinned_piece(const MotifContext& line) {
    const auto target = line.standing_target();
    if (!target || !is_pinned(line.start, *target) || !is_pinned(line.after_first, *target)
        || line.start.piece_on(*target) != line.after_first.piece_on(*target)
        || !attacks(line.after_first, line.first.to(), *target)
        || line.second->from() != line.first.to())
        return std::nullopt;
    return FoundMotif{Motif::pinned_piece, {*target}};
}

Detected find_discovered_attack(const MotifContext& line) {
    const auto target = line.standing_target();
    if (!target || line.second->from() == line.first.to())
        return std::nullopt;
    const auto attacker = line.second->from();
    const auto piece = line.start.piece_on(attacker);
    if (!piece || piece != line.after_first.piece_on(attacker) || !is_slider(piece->type())
        || !core::between(attacker, *target).contains(line.first.from())
        || attacks(line.start, attacker, *target) || !attacks(line.after_first, attacker, *target))
        return std::nullopt;
    return FoundMotif{Motif::discovered_attack, {attacker, *target}};
}

/// A discovered check, in which the piece that moved captures next.
Detected find_double_attack(const MotifContext& line) {
    const auto target = line.standing_target();
    const auto discovered = line.after_first.checkers() & ~Bitboard{line.first.to()};
    if (!target || discovered.empty() || line.second->from() != line.first.to()
        || !attacks(line.after_first, line.first.to(), *target))
        return std::nullopt;
    return FoundMotif{Motif::double_attack, {*target, line.after_first.king(line.victim())}};
}

Detected find_trapped(const MotifContext& line) {
    const auto target = line.standing_target();
    if (!target)
        return std::nullopt;
    const auto type = line.after_first.piece_at_unchecked(*target).type();
    if (type == PieceType::pawn || line.amount < value_of(type) - 1
        || !attacks(line.after_first, line.first.to(), *target)
        || line.second->from() != line.first.to())
        return std::nullopt;
    return FoundMotif{Motif::trapped, {*target}};
}

Detected find_promotion(const MotifContext& line) {
    if (!line.promotion)
        return std::nullopt;
    return FoundMotif{Motif::promotion, {line.promotion->from(), line.promotion->to()}};
}

FoundMotif motif_of_threat(const MotifContext& line) {
    using Detector = Detected (*)(const MotifContext&);
    if (line.first.kind() == Move::Kind::castling)
        return {};
    for (const Detector find : {find_discovered_attack, find_double_attack, find_skewer, find_fork,
                                find_pinned_piece, find_pin, find_trapped}) {
        if (auto found = find(line))
            return *found;
    }
    return {};
}

}  // namespace

FoundMotif motif_of_gain(const Position& position,
                         const std::vector<Move>& moves,
                         int amount,
                         const std::optional<PlayedMove>& played) {
    const MotifContext line = context_of(position, moves, amount);
    if (line.first.is_promotion())
        return *find_promotion(line);
    auto found = line.first_captures() ? motif_of_capture(line, played) : FoundMotif{};
    if (found.motif != Motif::none)
        return found;
    if (auto threat = motif_of_threat(line); threat.motif != Motif::none)
        return threat;
    return find_promotion(line).value_or(FoundMotif{});
}

/// A queen or rook mates along the first rank of a king whose own pieces stand before it.
FoundMotif motif_of_mate(const Position& position, const std::vector<Move>& line) {
    Position end = position;
    for (const Move move : line)
        end.play(move);
    const auto loser = end.side_to_move();
    const auto king = end.king(loser);
    if (king.relative_rank(loser) != 0 || end.checkers().empty())
        return {};
    const Bitboard rank = Bitboard::rank(king.rank());
    const auto in_front = core::king_attacks(king) & ~rank;
    const bool along_rank = end.checkers().count() == 1 && (end.checkers() & rank)
                         && (end.checkers() & end.pieces(PieceType::rook, PieceType::queen));
    if (!along_rank || (in_front & ~end.pieces(loser)))
        return {};
    return {Motif::back_rank, {king}};
}

std::optional<PieceType> piece_won(const Position& position, Move first, int amount) {
    if (!position.is_capture(first))
        return std::nullopt;
    const auto type = position.piece_at_unchecked(victim_square(first)).type();
    return amount >= value_of(type) ? std::optional{type} : std::nullopt;
}

}  // namespace engine::explain
