#include "engine/search/move_picker.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/search/see.hpp"

namespace engine::search {

namespace {

using core::Move;

/// Most valuable victim first: this much before the capture history.
constexpr int victim_weight = 16;

}  // namespace

// moves_ stays uninitialised: clearing it would cost more than generating the moves.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
MovePicker::MovePicker(const Histories& histories,
                       const HistoryContext& context,
                       std::optional<Move> tt_move,
                       Wanted wanted)
    : histories_{histories},
      context_{context},
      tt_move_{tt_move},
      wanted_{wanted} {
    // The TT move may belong to another position with the same key.
    if (!tt_move_ || !core::is_legal(position(), *tt_move_)
        || (wanted == Wanted::noisy && !position().is_noisy(*tt_move_))) {
        tt_move_.reset();
        stage_ = Stage::generate_captures;
    }
}

bool MovePicker::find_next() {
    switch (stage_) {
        case Stage::tt_move: stage_ = Stage::generate_captures; return found(*tt_move_);
        case Stage::generate_captures:
            generate(core::MoveKinds::noisy);
            stage_ = Stage::good_captures;
            [[fallthrough]];
        case Stage::good_captures:
            if (find_good_capture())
                return true;
            if (wanted_ == Wanted::noisy) {
                stage_ = Stage::done;
                return false;
            }
            init_check_and_threat_masks();
            stage_ = Stage::generate_quiets;
            [[fallthrough]];
        default: return find_quiet_or_bad_capture();
    }
}

bool MovePicker::find_good_capture() {
    while (next_ < end_) {
        const Move move = select_best();
        if (move == tt_move_)
            continue;
        // Underpromotions are hardly ever best: try them last.
        const bool underpromotes =
            move.is_promotion() && move.promoted_to() != core::PieceType::queen;
        if (!underpromotes && see_ge(position(), move, 0))
            return found(move);
        moves_[bad_end_++] = {move, 0};
    }
    return false;
}

bool MovePicker::find_quiet_or_bad_capture() {
    if (stage_ == Stage::generate_quiets) {
        next_ = end_ = bad_end_;
        if (!skipping_quiets_)
            generate(core::MoveKinds::quiet);
        stage_ = Stage::quiets;
    }
    if (stage_ == Stage::quiets) {
        while (!skipping_quiets_ && next_ < end_) {
            const Move move = select_best();
            if (move != tt_move_)
                return found(move);
        }
        stage_ = Stage::bad_captures;
        next_ = 0;
    }
    if (stage_ == Stage::bad_captures && next_ < bad_end_)
        return found(moves_[next_++].move);
    stage_ = Stage::done;
    return false;
}

void MovePicker::generate(core::MoveKinds kinds) {
    const bool noisy = kinds == core::MoveKinds::noisy;
    for (const Move move : core::legal_moves(position(), kinds))
        moves_[end_++] = {move, noisy ? score_capture(move) : score_quiet(move)};
}

int MovePicker::score_capture(Move move) const {
    const auto victim = position().piece_on(move.to());
    int value = victim ? parameters::see_value[core::index_of(victim->type())] : 0;
    if (move.kind() == Move::Kind::en_passant)
        value = parameters::see_value[core::index_of(core::PieceType::pawn)];
    if (move.is_promotion())
        value += parameters::see_value[core::index_of(move.promoted_to())];
    return victim_weight * value + histories_.capture_score(position(), move);
}

int MovePicker::score_quiet(Move move) const {
    int score = histories_.quiet_score(context_, move);
    const auto type = core::index_of(position().piece_at_unchecked(move.from()).type());
    if (checking_squares_[type].contains(move.to()))
        score += parameters::check_bonus;
    if (attacked_by_lesser_[type].contains(move.from()))
        score += parameters::escape_bonus;
    if (attacked_by_lesser_[type].contains(move.to()))
        score -= parameters::escape_bonus;
    return score;
}

void MovePicker::init_check_and_threat_masks() {
    using core::PieceType;
    const auto us = position().side_to_move();
    const auto king = position().king(~us);
    const auto occupied = position().pieces();
    checking_squares_[core::index_of(PieceType::pawn)] = core::pawn_attacks(~us, king);
    for (const auto type :
         {PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen})
        checking_squares_[core::index_of(type)] = core::piece_attacks(type, king, occupied);

    const Threats& threats = context_.threats();
    attacked_by_lesser_[core::index_of(PieceType::knight)] = threats.by_pawns();
    attacked_by_lesser_[core::index_of(PieceType::bishop)] = threats.by_pawns();
    attacked_by_lesser_[core::index_of(PieceType::rook)] = threats.by_minors();
    attacked_by_lesser_[core::index_of(PieceType::queen)] = threats.by_rooks();
}

/// One step of a selection sort: swaps the best move of [next_, end_) to the front and returns it.
Move MovePicker::select_best() {
    // The index is part of the value compared, so that this is a branch-free maximum. Of equal
    // moves the first wins.
    constexpr int places = core::MoveList::capacity;
    int best_value = std::numeric_limits<int>::min();
    for (std::size_t i = next_; i < end_; ++i)
        best_value =
            std::max(best_value, moves_[i].score * places + (places - 1 - static_cast<int>(i)));
    const auto best = static_cast<std::size_t>(places - 1 - (best_value & (places - 1)));
    std::swap(moves_[next_], moves_[best]);
    return moves_[next_++].move;
}

}  // namespace engine::search
