#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.hpp"

// Portable Game Notation. Format: the PGN standard of 1994 (Steven Edwards).
namespace core {

/// Names and values, in the order of the text.
using PgnTags = std::vector<std::pair<std::string, std::string>>;

/// The value of a tag; empty if there is no such tag.
[[nodiscard]] std::string tag_of(const PgnTags& tags, std::string_view name);

/// A game with its PGN tags and result.
struct Pgn {
    PgnTags tags;
    Game game;
    std::string result = "*";  ///< "1-0", "0-1", "1/2-1/2" or "*"

    [[nodiscard]] std::string tag(std::string_view name) const { return tag_of(tags, name); }
};

struct PgnElement;

/// A null move, written "--": the other side is to move.
struct PgnNullMove {
    friend bool operator==(PgnNullMove, PgnNullMove) = default;
};
/// A Numeric Annotation Glyph, such as 1 for "!" and 4 for "??".
struct PgnNag {
    int number = 0;
    friend bool operator==(PgnNag, PgnNag) = default;
};
/// What stands between braces, with a blank for each line break.
struct PgnComment {
    std::string text;
    friend bool operator==(const PgnComment&, const PgnComment&) = default;
};
/// A line that begins with %, without that: PGN leaves its meaning to programs.
struct PgnEscape {
    std::string text;
    friend bool operator==(const PgnEscape&, const PgnEscape&) = default;
};
/// Other moves than those from the last one before it on.
struct PgnVariation {
    std::vector<PgnElement> elements;
    friend bool operator==(const PgnVariation&, const PgnVariation&) = default;
};

/// One part of the text of a game. Move numbers are not kept: they follow from the moves.
struct PgnElement {
    std::variant<Move, PgnNullMove, PgnNag, PgnComment, PgnEscape, PgnVariation> content;
    friend bool operator==(const PgnElement&, const PgnElement&) = default;
};

/// A game with everything that stands between its moves, in the order of the text.
struct AnnotatedGame {
    std::vector<std::string> escapes;  ///< the lines before the moves that begin with %
    PgnTags tags;
    Position start = Position::start();  ///< that of the FEN tag, if there is one
    std::vector<PgnElement> elements;
    std::string result = "*";  ///< as Pgn::result

    friend bool operator==(const AnnotatedGame&, const AnnotatedGame&) = default;
};

/// The greatest depth to which variations may be nested.
inline constexpr std::size_t max_pgn_variation_depth = 100;

/// The tags at the beginning of a PGN text, also of a game that cannot be read. Encodings as below.
[[nodiscard]] PgnTags read_pgn_tags(std::string_view text);

/// Parses the first game of a PGN text. Comments, NAGs and variations are skipped, whatever is in
/// them. The result is the one after the moves, else that of the tag. Error: the tag or move at
/// fault, such as an illegal move or an unterminated comment.
[[nodiscard]] Result<Pgn> read_pgn(std::string_view text);

/// The same, with everything that is written between the moves. The text may be in UTF-8, with or
/// without a byte order mark, or in Windows-1252, which includes Latin-1. The result is in UTF-8.
[[nodiscard]] Result<AnnotatedGame> read_annotated_game(std::string_view text);

/// A move of the main line that cannot be played, and where that is.
struct IllegalPgnMove {
    Position position;
    std::string text;
};

/// The move for which read_pgn() refuses a text; nothing if there is another reason, or none.
[[nodiscard]] std::optional<IllegalPgnMove> illegal_move_in(std::string_view text);

/// The game as PGN: the seven required tags, then the other ones, with SetUp and FEN if the game
/// does not begin at the start position, then the moves in SAN in lines of at most 80 characters.
[[nodiscard]] std::string write_pgn(const Pgn& pgn);

/// The game as PGN: the tags as they are, then the text. Reading it gives the same game again.
[[nodiscard]] std::string write_annotated_game(const AnnotatedGame& game);

/// The result by the rules: "1-0", "0-1", "1/2-1/2", or "*" if the game is not over.
[[nodiscard]] std::string result_of(const Game& game);

}  // namespace core
