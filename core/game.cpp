#include "core/game.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/fen.hpp"
#include "core/movegen.hpp"
#include "core/notation.hpp"

namespace core {

Game::Game(const Position& start) : start_{start}, position_{start}, keys_{start.key()} {}

Result<int> Game::play(std::span<const std::string> moves) {
    Game next = *this;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto move = read_move(next.position_, moves[i]);
        if (!move)
            return Error{"move " + std::to_string(i + 1) + ": " + move.reason()};
        next.play(*move);
    }
    *this = std::move(next);
    return static_cast<int>(moves.size());
}

void Game::play(Move move) {
    position_ = position_.after(move);
    moves_.push_back(move);
    keys_.push_back(position_.key());
}

bool Game::undo(int plies) {
    assert(keys_.size() == moves_.size() + 1 && keys_.back() == position_.key());
    if (plies < 0 || static_cast<std::size_t>(plies) > moves_.size())
        return false;
    Game previous{start_};
    for (std::size_t i = 0; i + static_cast<std::size_t>(plies) < moves_.size(); ++i)
        previous.play(moves_[i]);
    assert(std::equal(previous.keys_.begin(), previous.keys_.end(), keys_.begin()));
    *this = std::move(previous);
    return true;
}

int Game::occurrences() const {
    return static_cast<int>(std::count(keys_.begin(), keys_.end(), position_.key()));
}

Outcome Game::outcome() const {
    if (count_legal_moves(position_) == 0)
        return position_.in_check() ? Outcome::checkmate : Outcome::stalemate;
    if (position_.has_insufficient_material())
        return Outcome::insufficient_material;
    if (occurrences() >= 3)
        return Outcome::threefold_repetition;
    if (position_.halfmove_clock() >= 100)
        return Outcome::fifty_moves;
    return Outcome::open;
}

std::optional<Square> Game::en_passant_target() const {
    if (moves_.empty())
        return std::nullopt;
    const Move last = moves_.back();
    const int step = last.to().index() - last.from().index();
    const bool pawn = position_.pieces(PieceType::pawn).contains(last.to());
    if (!pawn || (step != 16 && step != -16))
        return std::nullopt;
    return Square{last.from().index() + step / 2};
}

std::string Game::fen_with_en_passant_target() const {
    const auto square = en_passant_target();
    return square ? fen_with_en_passant(position_, square) : fen(position_);
}

}  // namespace core
