#include "engine/book/polyglot_entry.hpp"

#include "core/movegen.hpp"
#include "core/zobrist.hpp"

namespace engine::book {

namespace {

std::uint64_t read_number(std::span<const std::uint8_t> bytes) {
    std::uint64_t number = 0;
    for (const std::uint8_t byte : bytes)
        number = number << 8 | byte;
    return number;
}

void write_number(std::span<std::uint8_t> bytes, std::uint64_t number) {
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte, number >>= 8)
        *byte = static_cast<std::uint8_t>(number);
}

/// Whether a pawn of the side to move stands beside the pawn that has just passed over `target`.
bool enemy_pawn_beside(const core::Position& position, core::Square target) {
    const core::Color stm = position.side_to_move();
    return !(core::pawn_attacks(~stm, target) & position.pieces(stm, core::PieceType::pawn))
                .empty();
}

}  // namespace

PolyglotEntry PolyglotEntry::read(std::span<const std::uint8_t, size> bytes) {
    return {read_number(bytes.subspan(0, 8)),
            static_cast<std::uint16_t>(read_number(bytes.subspan(8, 2))),
            static_cast<std::uint16_t>(read_number(bytes.subspan(10, 2))),
            static_cast<std::uint32_t>(read_number(bytes.subspan(12, 4)))};
}

std::array<std::uint8_t, PolyglotEntry::size> PolyglotEntry::bytes() const {
    std::array<std::uint8_t, size> result{};
    const std::span all{result};
    write_number(all.subspan(0, 8), key);
    write_number(all.subspan(8, 2), move);
    write_number(all.subspan(10, 2), weight);
    write_number(all.subspan(12, 4), learn);
    return result;
}

core::Key polyglot_key(const core::Game& game) {
    const core::Position& position = game.position();
    const auto target = game.en_passant_target();
    if (!target || position.en_passant() || !enemy_pawn_beside(position, *target))
        return position.key();
    return position.key() ^ core::zobrist::en_passant(*target);
}

std::uint16_t polyglot_code(core::Move move) {
    // Squares are numbered alike. Promotions are 1 (knight) to 4 (queen), as those of PieceType.
    const auto promotion =
        move.is_promotion() ? static_cast<int>(core::index_of(move.promoted_to())) : 0;
    return static_cast<std::uint16_t>(move.to().index() | move.from().index() << 6
                                      | promotion << 12);
}

std::optional<core::Move> move_of_code(const core::Position& position, std::uint16_t code) {
    for (const core::Move move : core::legal_moves(position)) {
        if (polyglot_code(move) == code)
            return move;
    }
    return std::nullopt;
}

}  // namespace engine::book
