#include "uci/chezz/notation.hpp"

#include "core/notation.hpp"
#include "core/text.hpp"

namespace uci::chezz {

namespace {

// core::read_move() also reads castling as the king taking its rook, which chezz does not know.
bool is_king_taking_rook(core::Move move, std::string_view text) {
    return move.kind() == core::Move::Kind::castling && move.to().name() == text.substr(2);
}

}  // namespace

bool has_move_form(std::string_view text) {
    constexpr std::string_view letters{"nbrqNBRQ"};
    const bool has_good_size =
        text.size() == 4 || (text.size() == 5 && letters.find(text[4]) != std::string_view::npos);
    return has_good_size && core::Square::read(text.substr(0, 2))
        && core::Square::read(text.substr(2, 2));
}

core::Result<core::Move> read_move_text(const core::Position& position, std::string_view text) {
    if (!has_move_form(text))
        return core::Error{core::quoted(text) + " is not a move; moves look like e2e4 or g7g8Q"};
    auto move = core::read_move(position, text);
    if (move && is_king_taking_rook(*move, text))
        return core::Error{core::quoted(text) + " is not a legal move here"};
    return move;
}

std::string move_text(core::Move move) {
    std::string text = core::to_uci(move, core::CastlingStyle::king_moves_two);
    if (move.is_promotion())
        text.back() = core::Piece{core::Color::white, move.promoted_to()}.letter();
    return text;
}

}  // namespace uci::chezz
