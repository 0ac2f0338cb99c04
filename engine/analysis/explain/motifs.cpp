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

/// What the detectors look at: the pv with the positions around its first moves. "First" and
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
    MotifContext context{start, after_first, after_first, moves[0], {}, {}, {}, amount};
    if (moves.size() >= 3) {
        context.answer = moves[1];
        context.second = moves[2];
        context.after_answer = after_first.after(moves[1]);
    }
    for (std::size_t i = 0; i < moves.size(); i += 2) {
        if (!context.promotion && moves[i].is_promotion())
            context.promotion = moves[i];
    }
    return context;
}

using Detected = std::optional<FoundMotif>;

// ---- The first move captures.

Detected find_moved_into_attack(const MotifContext& context, const PlayedMove& played) {
    const auto target = victim_square(context.first);
    if (played.move.kind() == Move::Kind::castling || played.move.to() != target)
        return std::nullopt;
    return FoundMotif{
        played.before.is_capture(played.move) ? Motif::poor_trade : Motif::moved_into_attack,
        {target}};
}

Detected find_pinned_defender(const MotifContext& context) {
    const auto target = context.first.to();
    const auto& position = context.after_first;
    if (has_legal_capture(position, target) || position.in_check())
        return std::nullopt;
    for (const Square defender : position.pieces(context.victim())) {
        const auto type = position.piece_at_unchecked(defender).type();
        if (type != PieceType::king && attacks(position, defender, target)
            && is_pinned(position, defender))
            return FoundMotif{Motif::pinned_defender, {target, defender}};
    }
    return std::nullopt;
}

Detected find_defender_left(const MotifContext& context, const PlayedMove& played) {
    const auto target = victim_square(context.first);
    const auto from = played.move.from();
    if (played.move.kind() == Move::Kind::castling || from == target
        || !attacks(played.before, from, target) || !context.start.piece_on(played.move.to())
        || attacks(context.start, played.move.to(), target))
        return std::nullopt;
    return FoundMotif{Motif::defender_left, {target, from}};
}

Detected find_line_opened(const MotifContext& context, const PlayedMove& played) {
    const auto target = victim_square(context.first);
    if (played.move.kind() == Move::Kind::castling
        || !is_slider(context.start.piece_at_unchecked(context.first.from()).type())
        || !core::between(context.first.from(), target).contains(played.move.from()))
        return std::nullopt;
    return FoundMotif{Motif::line_opened, {target}};
}

/// The defender recaptures, and the second move captures what it has left.
Detected find_overloaded(const MotifContext& context) {
    const auto second = context.standing_target();
    if (!second || context.answer->to() != context.first.to() || *second == context.first.to())
        return std::nullopt;
    const auto defender = context.answer->from();
    if (context.after_first.piece_at_unchecked(defender).type() == PieceType::king
        || !attacks(context.after_first, defender, *second)
        || attacks(context.after_answer, context.answer->to(), *second))
        return std::nullopt;
    return FoundMotif{Motif::overloaded, {defender, context.first.to(), *second}};
}

Detected find_defender_removed(const MotifContext& context) {
    const auto second = context.standing_target();
    const auto defender = victim_square(context.first);
    if (!second || *second == defender || !attacks(context.start, defender, *second))
        return std::nullopt;
    return FoundMotif{Motif::defender_removed, {defender, *second}};
}

Detected find_exchange(const MotifContext& context) {
    const auto taker = context.start.piece_at_unchecked(context.first.from()).type();
    const auto target = context.start.piece_on(context.first.to());
    constexpr int exchange = 2;
    if ((taker != PieceType::knight && taker != PieceType::bishop) || !target
        || target->type() != PieceType::rook || context.amount != exchange)
        return std::nullopt;
    return FoundMotif{Motif::exchange, {context.first.to()}};
}

Detected find_undefended(const MotifContext& context) {
    const auto target = victim_square(context.first);
    const auto value = value_of(context.start.piece_at_unchecked(target).type());
    if (context.amount < value || has_legal_capture(context.after_first, context.first.to()))
        return std::nullopt;
    return FoundMotif{Motif::undefended, {target}};
}

FoundMotif motif_of_capture(const MotifContext& context, const std::optional<PlayedMove>& played) {
    using Detector = Detected (*)(const MotifContext&);
    using DetectorOfPlayed = Detected (*)(const MotifContext&, const PlayedMove&);
    if (auto found = find_exchange(context))
        return *found;
    if (played) {
        for (const DetectorOfPlayed find :
             {find_moved_into_attack, find_defender_left, find_line_opened}) {
            if (auto found = find(context, *played))
                return *found;
        }
    }
    for (const Detector find :
         {find_pinned_defender, find_undefended, find_overloaded, find_defender_removed}) {
        if (auto found = find(context))
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

/// The attacker takes one of its targets, even if that has just moved, or a more valuable one takes
/// it and is recaptured.
Detected find_fork(const MotifContext& context) {
    const auto attacker = context.first.to();
    if (!context.second_captures())
        return std::nullopt;
    const auto targets = threatened_pieces(context.after_first, attacker, context.victim());
    const auto is_target = [&](Square square) {
        return std::find(targets.begin(), targets.end(), square) != targets.end();
    };
    const auto taken = victim_square(*context.second);
    const auto target_before = taken == context.answer->to() ? context.answer->from() : taken;
    const bool takes = context.second->from() == attacker && is_target(target_before);
    const auto value_on = [&](Square square) {
        return value_of(context.after_first.piece_at_unchecked(square).type());
    };
    const auto taker = context.answer->from();
    const bool is_recaptured = context.answer->to() == attacker && taken == attacker
                            && is_target(taker) && value_on(taker) > value_on(attacker);
    if (targets.size() < 2 || (!takes && !is_recaptured))
        return std::nullopt;
    FoundMotif found{Motif::fork, {attacker}};
    found.squares.insert(found.squares.end(), targets.begin(), targets.end());
    return found;
}

/// The slider and the piece that the second move captures with it, if it moved there first.
std::optional<std::pair<Square, Square>> slider_and_target(const MotifContext& context) {
    const auto target = context.standing_target();
    if (!target || context.second->from() != context.first.to()
        || !is_slider(context.after_first.piece_at_unchecked(context.first.to()).type()))
        return std::nullopt;
    return std::pair{context.first.to(), *target};
}

Detected find_skewer(const MotifContext& context) {
    const auto found = slider_and_target(context);
    if (!found)
        return std::nullopt;
    const auto [slider, back] = *found;
    const auto front = context.answer->from();
    const auto& position = context.after_first;
    if (!attacks(position, slider, front) || behind(position, slider, front) != back)
        return std::nullopt;
    const auto type = position.piece_at_unchecked(front).type();
    const auto back_type = position.piece_at_unchecked(back).type();
    if (type != PieceType::king && value_of(type) < value_of(back_type))
        return std::nullopt;
    return FoundMotif{Motif::skewer, {slider, front, back}};
}

Detected find_pin(const MotifContext& context) {
    const auto found = slider_and_target(context);
    if (!found)
        return std::nullopt;
    const auto [slider, target] = *found;
    const auto& position = context.after_first;
    if (!attacks(position, slider, target))
        return std::nullopt;
    const auto shielded = behind(position, slider, target);
    if (!shielded || position.piece_at_unchecked(*shielded).color() != context.victim())
        return std::nullopt;
    const auto type = position.piece_at_unchecked(*shielded).type();
    if (type != PieceType::king
        && value_of(type) <= value_of(position.piece_at_unchecked(target).type()))
        return std::nullopt;
    return FoundMotif{Motif::pin, {slider, target, *shielded}};
}

/// The piece must still be pinned where it is captured.
Detected find_pinned_piece(const MotifContext& context) {
    const auto target = context.standing_target();
    if (!target || !is_pinned(context.start, *target) || !is_pinned(context.after_first, *target)
        || context.start.piece_on(*target) != context.after_first.piece_on(*target)
        || !attacks(context.after_first, context.first.to(), *target)
        || context.second->from() != context.first.to())
        return std::nullopt;
    return FoundMotif{Motif::pinned_piece, {*target}};
}

Detected find_discovered_attack(const MotifContext& context) {
    const auto target = context.standing_target();
    if (!target || context.second->from() == context.first.to())
        return std::nullopt;
    const auto attacker = context.second->from();
    const auto piece = context.start.piece_on(attacker);
    if (!piece || piece != context.after_first.piece_on(attacker) || !is_slider(piece->type())
        || !core::between(attacker, *target).contains(context.first.from())
        || attacks(context.start, attacker, *target)
        || !attacks(context.after_first, attacker, *target))
        return std::nullopt;
    return FoundMotif{Motif::discovered_attack, {attacker, *target}};
}

/// A discovered check, in which the piece that moved captures next.
Detected find_double_attack(const MotifContext& context) {
    const auto target = context.standing_target();
    const auto discovered = context.after_first.checkers() & ~Bitboard{context.first.to()};
    if (!target || discovered.empty() || context.second->from() != context.first.to()
        || !attacks(context.after_first, context.first.to(), *target))
        return std::nullopt;
    return FoundMotif{Motif::double_attack, {*target, context.after_first.king(context.victim())}};
}

/// The piece that the second move captures, where the first has attacked it: it may have moved in
/// between. Whether no other answer saves it is for the prover to tell.
Detected find_trapped(const MotifContext& context) {
    if (!context.second_captures())
        return std::nullopt;
    const auto captured = victim_square(*context.second);
    const auto target = captured == context.answer->to() ? context.answer->from() : captured;
    const auto piece = context.after_first.piece_on(target);
    if (!piece || piece->color() != context.victim() || piece->type() == PieceType::pawn
        || context.amount < value_of(piece->type()) - 1
        || !attacks(context.after_first, context.first.to(), target))
        return std::nullopt;
    return FoundMotif{Motif::trapped, {target}};
}

Detected find_promotion(const MotifContext& context) {
    if (!context.promotion)
        return std::nullopt;
    return FoundMotif{Motif::promotion, {context.promotion->from(), context.promotion->to()}};
}

FoundMotif motif_of_threat(const MotifContext& context) {
    using Detector = Detected (*)(const MotifContext&);
    if (context.first.kind() == Move::Kind::castling)
        return {};
    for (const Detector find : {find_discovered_attack, find_double_attack, find_skewer, find_fork,
                                find_pinned_piece, find_pin, find_trapped}) {
        if (auto found = find(context))
            return *found;
    }
    return {};
}

}  // namespace

FoundMotif motif_of_gain(const Position& position,
                         const std::vector<Move>& moves,
                         int amount,
                         const std::optional<PlayedMove>& played) {
    const MotifContext context = context_of(position, moves, amount);
    if (context.first.is_promotion())
        return *find_promotion(context);
    auto found = context.first_captures() ? motif_of_capture(context, played) : FoundMotif{};
    if (found.motif != Motif::none)
        return found;
    if (auto threat = motif_of_threat(context); threat.motif != Motif::none)
        return threat;
    return find_promotion(context).value_or(FoundMotif{});
}

/// A queen or rook mates along the first rank of a king whose own pieces stand before it.
FoundMotif motif_of_mate(const Position& position, const std::vector<Move>& pv) {
    Position end = position;
    for (const Move move : pv)
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
