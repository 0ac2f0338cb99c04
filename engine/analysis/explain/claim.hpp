#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/move.hpp"
#include "core/piece.hpp"
#include "core/square.hpp"

#include "engine/score.hpp"

// What can be said of a move, as values. wording.hpp makes sentences of them.
namespace engine::explain {

/// What a claim says of the move it explains. "The better move" is the one that the search prefers.
enum class Kind : unsigned char {
    // Of the position after the move: the opponent moves first in the pv.
    mate_allowed,   ///< the opponent mates in `amount` moves
    material_lost,  ///< the opponent wins `amount`
    draw_allowed,   ///< the opponent's answer ends the game in a draw
    game_drawn,     ///< the move itself does; the pv is empty
    win_given_up,   ///< an ending was won and is drawn now, with best play; the pv is empty
    ending_lost,    ///< an ending was not lost and is lost now; the pv is empty
    // Of the position before the move: the pv begins with the better move, or with the move itself
    // where that is the best.
    mate_missed,      ///< the better move mates in `amount` moves
    mate_delayed,     ///< the same; the move played mates too, but later
    material_missed,  ///< the better move wins `amount`
    mates,            ///< the move mates in `amount` moves
    material_won,     ///< the move wins `amount`
    // Of the position after a null move: what the opponent would play next.
    threat_stopped,  ///< the move prevents a pv that wins `amount`
    mate_stopped     ///< the move prevents a mate in `amount`
};

/// How material is won, or what the final position of a mate looks like. The squares of a claim are
/// listed here in their order. "First" and "second" are the winning side's moves in the pv.
enum class Motif : unsigned char {
    none,
    undefended,         ///< target: no answer recaptures there
    moved_into_attack,  ///< target: the move's own piece, captured by the first move
    poor_trade,         ///< target: the same, after the move has captured something
    pinned_defender,    ///< target, defender: it may not recapture because it is pinned to its king
    defender_left,      ///< target, where its defender stood: the move's own piece
    line_opened,        ///< target: the move left the line between it and its captor
    overloaded,         ///< defender, first target, second target
    defender_removed,   ///< defender, target: captured by the first and the second move
    exchange,           ///< target: a rook, captured by a bishop or knight
    fork,               ///< attacker, two or more targets
    skewer,             ///< attacker, front, back
    pin,                ///< attacker, pinned, what it shields
    pinned_piece,       ///< target: it was pinned to its king before it is attacked
    discovered_attack,  ///< attacker, target
    double_attack,      ///< target, king: the first move discovers check, the second captures
    trapped,            ///< target: wherever it goes, as much is lost
    promotion,          ///< the pawn, where it promotes
    back_rank,          ///< king: mated along its first rank, shut in by its own pieces
};

/// A proven statement.
struct Claim {
    Kind kind = Kind::material_lost;
    Motif motif = Motif::none;
    /// Moves to mate; or what the material balance gains at least over that before the move, in
    /// pawns: 3 for a knight or bishop, 5 for a rook, 9 for a queen.
    int amount = 0;
    int plies = 0;               ///< of the proof, against every answer
    std::vector<core::Move> pv;  ///< the moves of the proof, from root_of()
    std::vector<core::Square> squares;
    /// The pv's first move captures this piece, and its whole value is won.
    std::optional<core::PieceType> won_piece;
    bool was_threat = false;  ///< the opponent would have won as much after a null move
};

/// Why a move is the only one that holds. Proved: every other legal move allows mate or loses
/// material, and this one does not in as many plies.
struct OnlyMove {
    bool mate = false;  ///< some of the others allow mate
    int amount = 0;     ///< the rest lose at least as much, in pawns; 0: all allow mate
    int plies = 0;      ///< of the longest proof, from the position after the move
};

/// How a move compares with the one that the search prefers.
enum class Verdict : unsigned char { best, good, worse };

/// The explanation of a move.
struct Explanation {
    core::Move move{};
    core::Move better{};  ///< the move that the search prefers; the move itself if that is it
    Verdict verdict = Verdict::good;
    Score score_of_move = draw;    ///< for the player, normalised()
    Score score_of_better = draw;  ///< the same
    bool only_legal = false;
    std::optional<OnlyMove> only_move;  ///< only of the best move
    std::optional<Claim> claim;
};

/// The name in structured output: "material_lost".
std::string_view name(Kind kind);
std::string_view name(Motif motif);
std::string_view name(Verdict verdict);

}  // namespace engine::explain
