#include "engine/search/move_picker.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/search/see.hpp"

namespace engine {

namespace {

using core::Move;

constexpr int victim_weight = 16;

}  // namespace

// Clearing the moves would cost more than making them.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
MovePicker::MovePicker(const PickerContext& context, Wanted wanted)
    : context_{context},
      wanted_{wanted} {
    if (!context_.table_move || !core::is_legal(context_.position, *context_.table_move)
        || (wanted == Wanted::noisy && !context_.position.is_noisy(*context_.table_move))) {
        context_.table_move.reset();
        stage_ = Stage::make_noisies;
    }
}

bool MovePicker::find_next() {
    switch (stage_) {
        case Stage::table_move: stage_ = Stage::make_noisies; return found(*context_.table_move);
        case Stage::make_noisies:
            make(core::MoveKinds::noisy);
            stage_ = Stage::winning_noisies;
            [[fallthrough]];
        case Stage::winning_noisies:
            if (find_winning_noisy())
                return true;
            if (wanted_ == Wanted::noisy) {
                stage_ = Stage::done;
                return false;
            }
            look_around();
            stage_ = Stage::killers;
            [[fallthrough]];
        case Stage::killers:
            if (find_killer())
                return true;
            stage_ = Stage::make_quiets;
            [[fallthrough]];
        default: return find_rest();
    }
}

bool MovePicker::find_winning_noisy() {
    while (next_ < end_) {
        const Move move = take_best();
        if (was_given(move))
            continue;
        // A promotion to anything but a queen is hardly ever right.
        const bool underpromotes =
            move.is_promotion() && move.promoted_to() != core::PieceType::queen;
        if (!underpromotes && exchange_wins(context_.position, move, 0))
            return found(move);
        moves_[losing_end_++] = {move, 0};
    }
    return false;
}

bool MovePicker::find_killer() {
    while (!skipping_quiets_ && killer_index_ < context_.killers.size()) {
        const auto killer = context_.killers[killer_index_++];
        if (killer && killer != context_.table_move && !context_.position.is_noisy(*killer)
            && core::is_legal(context_.position, *killer))
            return found(*killer);
    }
    return false;
}

bool MovePicker::find_rest() {
    if (stage_ == Stage::make_quiets) {
        next_ = end_ = losing_end_;
        if (!skipping_quiets_)
            make(core::MoveKinds::quiet);
        stage_ = Stage::quiets;
    }
    if (stage_ == Stage::quiets) {
        while (!skipping_quiets_ && next_ < end_) {
            const Move move = take_best();
            if (!was_given(move))
                return found(move);
        }
        stage_ = Stage::losing_noisies;
        next_ = 0;
    }
    if (stage_ == Stage::losing_noisies && next_ < losing_end_)
        return found(moves_[next_++].move);
    stage_ = Stage::done;
    return false;
}

void MovePicker::make(core::MoveKinds kinds) {
    const bool noisy = kinds == core::MoveKinds::noisy;
    for (const Move move : core::legal_moves(context_.position, kinds))
        moves_[end_++] = {move, noisy ? score_noisy(move) : score_quiet(move)};
}

int MovePicker::score_noisy(Move move) const {
    const auto victim = context_.position.piece_on(move.to());
    int value = victim ? parameters::exchange_value[core::index_of(victim->type())] : 0;
    if (move.kind() == Move::Kind::en_passant)
        value = parameters::exchange_value[core::index_of(core::PieceType::pawn)];
    if (move.is_promotion())
        value += parameters::exchange_value[core::index_of(move.promoted_to())];
    return victim_weight * value + context_.histories.of_noisy(context_.position, move).value();
}

int MovePicker::score_quiet(Move move) const {
    const auto& position = context_.position;
    const auto piece = position.known_piece_on(move.from());
    const auto index = piece_to(piece, move.to());
    int score =
        context_.histories.of_quiet(position.side_to_move(), move, context_.threats.by_any).value();
    for (const auto* continuation : context_.continuations)
        score += (*continuation)[index].value();
    if (checking_squares_[core::index_of(piece.type())].contains(move.to()))
        score += parameters::check_bonus;
    const auto feared = feared_squares_[core::index_of(piece.type())];
    if (feared.contains(move.from()))
        score += parameters::escape_bonus;
    if (feared.contains(move.to()))
        score -= parameters::escape_bonus;
    return score;
}

/// From where each type of piece would give check, and where it would fear lesser pieces.
void MovePicker::look_around() {
    using core::PieceType;
    const auto& position = context_.position;
    const auto us = position.side_to_move();
    const auto king = position.king(~us);
    const auto occupied = position.pieces();
    checking_squares_[core::index_of(PieceType::pawn)] = core::pawn_attacks(~us, king);
    for (const auto type :
         {PieceType::knight, PieceType::bishop, PieceType::rook, PieceType::queen})
        checking_squares_[core::index_of(type)] = core::piece_attacks(type, king, occupied);

    const Threats& threats = context_.threats;
    feared_squares_[core::index_of(PieceType::knight)] = threats.by_pawns;
    feared_squares_[core::index_of(PieceType::bishop)] = threats.by_pawns;
    feared_squares_[core::index_of(PieceType::rook)] = threats.by_minors;
    feared_squares_[core::index_of(PieceType::queen)] = threats.by_rooks;
}

/// The best of the moves still to be given; it swaps places with the first of them.
Move MovePicker::take_best() {
    // The place is a part of what is compared: so there is one maximum to be found, and no jump
    // that no processor could guess. Of equal moves the first is the best.
    constexpr int places = core::MoveList::capacity;
    int most = std::numeric_limits<int>::min();
    for (std::size_t i = next_; i < end_; ++i)
        most = std::max(most, moves_[i].score * places + (places - 1 - static_cast<int>(i)));
    const auto best = static_cast<std::size_t>(places - 1 - (most & (places - 1)));
    std::swap(moves_[next_], moves_[best]);
    return moves_[next_++].move;
}

bool MovePicker::was_given(Move move) const {
    if (move == context_.table_move)
        return true;
    if (stage_ != Stage::quiets)
        return false;
    return move == context_.killers[0] || move == context_.killers[1];
}

}  // namespace engine
