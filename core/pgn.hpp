#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace core {

/// A game with its PGN tags and result. Format: the PGN standard of 1994 (Steven Edwards).
struct Pgn {
    std::vector<std::pair<std::string, std::string>> tags;  ///< name and value, in order
    Game game;
    std::string result = "*";  ///< "1-0", "0-1", "1/2-1/2" or "*"

    /// The value of a tag; empty if there is no such tag.
    [[nodiscard]] std::string tag(std::string_view name) const;
};

/// Parses the first game of a PGN text. Comments, NAGs and variations are skipped; a FEN tag sets
/// the start. Error: the tag or ply at fault, such as an illegal move or an unterminated comment.
[[nodiscard]] Result<Pgn> read_pgn(std::string_view text);

/// Divides PGN text that arrives line by line into games. A game ends at its result, or where a new
/// one's tags begin.
class PgnSplitter {
public:
    /// Takes the next line, with or without its line end. Returns the game before it if the line
    /// begins another one.
    std::optional<std::string> add_line(std::string_view line);
    /// Returns the last game; nothing if there is only blank text.
    std::optional<std::string> finish();

private:
    void scan(std::string_view line);

    std::string text_;
    bool has_moves_ = false;  ///< of the current game, as the members below
    bool has_result_ = false;
    bool in_comment_ = false;
    int open_variations_ = 0;
};

/// The game as PGN: the seven required tags, then the other ones, with SetUp and FEN if the game
/// does not begin at the start position, then the moves in SAN in lines of at most 80 characters.
[[nodiscard]] std::string write_pgn(const Pgn& pgn);

/// The result by the rules: "1-0", "0-1", "1/2-1/2", or "*" if the game is not over.
[[nodiscard]] std::string result_of(const Game& game);

}  // namespace core
