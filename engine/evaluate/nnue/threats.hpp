#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "core/attack_sets.hpp"
#include "core/position.hpp"

#include "engine/evaluate/nnue/architecture.hpp"

// The threats that the network knows. They are found anew for each evaluation: a position has two
// or three on average, so no accumulator keeps them.
namespace engine::nnue {

/// The squares of pieces by colour and type.
using PieceSquares = std::array<core::SquaresByType, 2>;

/// A piece attacks what it could capture if it were its side's turn, whether it is pinned or not;
/// it defends the pieces of its own side in the same way.
enum class ThreatKind : std::uint8_t {
    /// A piece is attacked and not defended. No kings.
    undefended,
    /// A piece is attacked by a less valuable one: a knight or bishop by a pawn; a rook by a pawn
    /// or minor piece; a queen by any of these or a rook.
    lesser_attacker,
    /// A piece is attacked at least twice and defended once, and not attacked by a lesser one. No
    /// kings.
    outnumbered,
    /// A piece stands alone between its king and a slider of the other side.
    pinned,
    /// A knight, bishop, rook or queen can check from a square that the other king's side does not
    /// attack, or only with that king while two pieces attack it. Once for each type and square.
    check,
    /// A pawn is passed: no pawn of the other side is in front of it on its file or beside it.
    passed_pawn,
};
static_assert(static_cast<std::size_t>(ThreatKind::passed_pawn) + 1 == threat_kind_count);

/// A threat: the threatened piece or passed pawn on its square, or the piece that can check on the
/// square to check from.
struct Threat {  // NOLINT(cppcoreguidelines-pro-type-member-init): a ThreatList has many unused
    ThreatKind kind;
    core::Color color;
    /// The type of the piece. Of a passed pawn instead: 0 if the square in front of it is occupied,
    /// else 1, plus 1 if its own side attacks that square, plus 2 if the other side does.
    std::uint8_t type;
    core::Square square;
};

/// All threats of a position: at most 60 to pieces by their attackers, 16 pins, 62 checks of each
/// side and 16 passed pawns.
class ThreatList {  // NOLINT(cppcoreguidelines-pro-type-member-init): threats_ up to count_
public:
    static constexpr std::size_t max_size = 216;

    void add(const Threat& threat) {
        assert(count_ < max_size);
        threats_[count_++] = threat;
    }
    bool empty() const { return count_ == 0; }
    const Threat* begin() const { return threats_.data(); }
    const Threat* end() const { return threats_.data() + count_; }

private:
    std::array<Threat, max_size> threats_;
    std::size_t count_ = 0;
};

/// The threats of both sides, whose pieces include a king each. Pawns of the first colour, White,
/// move up the board.
ThreatList find_threats(const PieceSquares& pieces);
PieceSquares piece_squares(const core::Position& position);
ThreatList find_threats(const core::Position& position);

}  // namespace engine::nnue
