#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/game.hpp"

namespace engine::book {

/// One entry of a Polyglot book. Format: http://hgm.nubati.net/book_format.html
struct PolyglotEntry {
    /// Bytes of an entry in a file: four big-endian numbers, in the order of the members.
    static constexpr std::size_t size = 16;

    core::Key key = 0;
    std::uint16_t move = 0;    ///< a polyglot_code()
    std::uint16_t weight = 0;  ///< relative to the other moves of the position; 0: never play it
    std::uint32_t learn = 0;   ///< for engines that learn; Parley writes 0

    static PolyglotEntry read(std::span<const std::uint8_t, size> bytes);
    std::array<std::uint8_t, size> bytes() const;
};

/// The key of the game's position as books have it: like Position::key(), but the file of a double
/// push counts if an enemy pawn stands beside the pawn, even if it may not capture.
core::Key polyglot_key(const core::Game& game);

/// A move in a book's 16 bits: destination, origin, promotion. Castling is king takes rook.
std::uint16_t polyglot_code(core::Move move);

/// The legal move with this code; nothing if there is none.
std::optional<core::Move> move_of_code(const core::Position& position, std::uint16_t code);

}  // namespace engine::book
