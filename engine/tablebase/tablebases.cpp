#include "engine/tablebase/tablebases.hpp"

#include <algorithm>
#include <cassert>
#include <new>

#include "core/movegen.hpp"

namespace engine::tablebase {

namespace {

using core::Move;
using core::MoveKinds;
using core::PieceType;
using core::Position;

constexpr int kings_only = 2;
constexpr int below_any_score = -3;
constexpr int no_distance = 100'000;

bool is_pawn_move(const Position& position, Move move) {
    return position.piece_at_unchecked(move.from()).type() == PieceType::pawn;
}

bool is_en_passant(Move move) {
    return move.kind() == Move::Kind::en_passant;
}

}  // namespace

core::Result<std::shared_ptr<const Tablebases>> Tablebases::open(const std::string& path) {
    const std::shared_ptr<Tablebases> tablebases{new Tablebases};
    if (auto error = tablebases->files_.scan(path))
        return *error;
    if (tablebases->count(TableKind::wdl) == 0) {
        const auto problems = tablebases->new_problems();
        return core::Error{"no Syzygy tables (KQvK.rtbw ...) there"
                           + (problems ? ": " + *problems : "")};
    }
    return std::shared_ptr<const Tablebases>{tablebases};
}

bool Tablebases::covers(const Position& position) const {
    return position.castling_rooks().empty() && position.pieces().count() <= largest();
}

/// What the WDL table says of a position without its captures.
std::optional<int> Tablebases::stored_wdl(const Position& position) const {
    if (position.pieces().count() == kings_only)
        return value_of(WdlScore::draw);
    const Material material = Material::of(position);
    const Table* const table = files_.find(material, TableKind::wdl);
    if (table == nullptr)
        return std::nullopt;
    const auto score = table->wdl(position);
    if (!score) {
        files_.leave_out(material, TableKind::wdl);
        return std::nullopt;
    }
    return value_of(*score);
}

/// The WDL of a position without en passant, by alpha-beta over the captures: where one is best,
/// the table may store anything that is not better.
std::optional<int> Tablebases::search_captures(const Position& position,
                                               int alpha,
                                               int beta) const {
    assert(!position.en_passant());
    for (const Move move : core::legal_moves(position, MoveKinds::noisy)) {
        if (!position.is_capture(move))
            continue;
        const auto reply = search_captures(position.after(move), -beta, -alpha);
        if (!reply)
            return std::nullopt;
        alpha = std::max(alpha, -*reply);
        if (alpha >= beta)
            return alpha;
    }
    const auto stored = stored_wdl(position);
    if (!stored)
        return std::nullopt;
    return std::max(alpha, *stored);
}

/// Captures may be better than what the table stores, and it knows no en passant: without that
/// right a position may be a stalemate, or better.
std::optional<Tablebases::Wdl> Tablebases::wdl(const Position& position) const {
    const int win = value_of(WdlScore::win);
    int best = below_any_score;
    int best_en_passant = below_any_score;
    for (const Move move : core::legal_moves(position, MoveKinds::noisy)) {
        if (!position.is_capture(move))
            continue;
        const auto reply = search_captures(position.after(move), -win, win);
        if (!reply)
            return std::nullopt;
        int& best_of_kind = is_en_passant(move) ? best_en_passant : best;
        best_of_kind = std::max(best_of_kind, -*reply);
        if (best_of_kind == win)
            return Wdl{win, true};
    }
    const auto stored = stored_wdl(position);
    if (!stored)
        return std::nullopt;
    if (best_en_passant > best && best_en_passant > *stored)
        return Wdl{best_en_passant, true};
    const int capture = std::max(best, best_en_passant);
    if (capture >= *stored)
        return Wdl{capture, capture > 0};
    if (best_en_passant > below_any_score && *stored == 0) {
        const auto moves = core::legal_moves(position);
        if (std::all_of(moves.begin(), moves.end(), is_en_passant))
            return Wdl{best_en_passant, true};
    }
    return Wdl{*stored, false};
}

std::optional<WdlScore> Tablebases::probe_wdl(const Position& position) const {
    if (!covers(position))
        return std::nullopt;
    const auto result = wdl(position);
    if (!result)
        return std::nullopt;
    return static_cast<WdlScore>(result->score);
}

std::optional<int> Tablebases::probe_dtz(const Position& position) const {
    if (!covers(position))
        return std::nullopt;
    return dtz(position);
}

std::optional<int> Tablebases::dtz(const Position& position) const {
    const auto result = wdl(position);
    if (!result)
        return std::nullopt;
    const auto [score, by_capture] = *result;
    if (score == 0)
        return 0;
    if (by_capture)
        return dtz_before_zeroing(static_cast<WdlScore>(score));
    if (score > 0) {
        const auto by_pawn = has_pawn_move_to(position, score);
        if (!by_pawn)
            return std::nullopt;
        if (*by_pawn)
            return dtz_before_zeroing(static_cast<WdlScore>(score));
    }
    const Material material = Material::of(position);
    const Table* const table = files_.find(material, TableKind::dtz);
    if (table == nullptr)
        return std::nullopt;
    const auto distance = table->distance(position, static_cast<WdlScore>(score));
    if (!distance) {
        files_.leave_out(material, TableKind::dtz);
        return std::nullopt;
    }
    if (distance->is_other_side)
        return dtz_by_moves(position, score);
    return dtz_before_zeroing(static_cast<WdlScore>(score))
         + (score > 0 ? distance->plies : -distance->plies);
}

/// Whether a pawn move that is no capture keeps the score.
std::optional<bool> Tablebases::has_pawn_move_to(const Position& position, int score) const {
    if (position.pieces(position.side_to_move(), PieceType::pawn).empty())
        return false;
    for (const Move move : core::legal_moves(position)) {
        if (!is_pawn_move(position, move) || position.is_capture(move))
            continue;
        const auto reply = wdl(position.after(move));
        if (!reply)
            return std::nullopt;
        if (-reply->score == score)
            return true;
    }
    return false;
}

/// The distance where the table only has the other side: one ply of search over the moves that are
/// neither captures nor pawn moves.
std::optional<int> Tablebases::dtz_by_moves(const Position& position, int score) const {
    int best = score > 0 ? no_distance : dtz_before_zeroing(static_cast<WdlScore>(score));
    for (const Move move : core::legal_moves(position, MoveKinds::quiet)) {
        if (is_pawn_move(position, move))
            continue;
        const Position next = position.after(move);
        const auto reply = dtz(next);
        if (!reply)
            return std::nullopt;
        const int distance = -*reply;
        if (score < 0)
            best = std::min(best, distance - 1);
        else if (distance == 1 && next.in_check() && core::count_legal_moves(next) == 0)
            best = 1;
        else if (distance > 0)
            best = std::min(best, distance + 1);
    }
    if (best == no_distance)
        return std::nullopt;
    return best;
}

}  // namespace engine::tablebase
