#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace core {

/// A game with what a PGN says about it. Format: the PGN standard of 1994 (Steven Edwards).
struct Pgn {
    std::vector<std::pair<std::string, std::string>> tags;  ///< name and value, in order
    Game game;
    std::string result = "*";  ///< "1-0", "0-1", "1/2-1/2" or "*"

    /// The value of a tag; empty when it is not there.
    std::string tag(std::string_view name) const;
};

/// The first game of a PGN text. Comments, NAGs and variations are skipped; a FEN tag sets the
/// start. A move that cannot be played, or a comment that never ends, is refused.
Result<Pgn> read_pgn(std::string_view text);

/// The game as PGN: the seven tags that the standard asks for and the others given, FEN where
/// it does not start as chess does, then the moves in SAN in lines of at most 80 letters.
std::string write_pgn(const Pgn& pgn);

/// The result that the rules give a game: "1-0", "0-1", "1/2-1/2", or "*" while it is open.
std::string result_of(const Game& game);

}  // namespace core
