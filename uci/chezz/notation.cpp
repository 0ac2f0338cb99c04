#include "uci/chezz/notation.hpp"

#include "core/notation.hpp"
#include "core/text.hpp"

namespace uci::chezz {

namespace {

constexpr std::size_t size_without_letter = 4;

bool has_shape_of_move(std::string_view text) {
    if (text.size() != size_without_letter && text.size() != size_without_letter + 1)
        return false;
    if (!core::Square::read(text.substr(0, 2)) || !core::Square::read(text.substr(2, 2)))
        return false;
    constexpr std::string_view letters{"nbrqNBRQ"};
    return text.size() == size_without_letter
        || letters.find(text.back()) != std::string_view::npos;
}

// core::read_move() also reads castling as the king taking its rook, which chezz does not know.
bool is_king_taking_rook(core::Move move, std::string_view text) {
    return move.kind() == core::Move::Kind::castling && move.to().name() == text.substr(2);
}

}  // namespace

core::Result<core::Move> read_move_text(const core::Position& position, std::string_view text) {
    if (!has_shape_of_move(text))
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
