#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/square.hpp"

#include "engine/tablebase/material.hpp"

// How the squares of the men become the index of a position: the Syzygy format numbers the
// positions of a table without gaps for symmetry and for men of a kind.
namespace engine::tablebase {

/// A piece as table files write it: 1 pawn to 6 king, and 8 more for Black.
using PieceCode = std::uint8_t;
inline constexpr PieceCode black_piece = 8;

constexpr core::PieceType type_of(PieceCode code) {
    return static_cast<core::PieceType>((code & 7) - 1);
}
constexpr core::Color color_of(PieceCode code) {
    return (code & black_piece) != 0 ? core::Color::black : core::Color::white;
}

/// The squares of the men in the order of a table's piece list.
using Squares = std::array<core::Square, max_men>;

/// The number of sub-tables of a table with pawns: by the file of the leading pawn, a or h first.
inline constexpr int pawn_files = 4;

/// The pawn that decides which sub-table holds a position, of those on `squares`: the nearest to
/// the edge of the board, of these the one furthest back. Pawns stand on ranks 2 to 7.
core::Square leading_pawn(std::span<const core::Square> squares);
/// The sub-table of a leading pawn: 0 to 3.
int pawn_file(core::Square leading_pawn);

/// How one sub-table numbers the positions of one side to move.
class Encoding {
public:
    /// What the header of a file tells about it.
    struct Description {
        std::array<PieceCode, max_men> pieces{};  ///< one for each man
        int leading_place = 0;                    ///< of the leading group among the factors
        int other_pawns_place = 0;  ///< of the other side's pawns, if both sides have pawns
        int pawn_file = 0;          ///< of tables with pawns
    };

    /// Nothing if the description does not fit the material.
    static std::optional<Encoding> make(Material material, const Description& description);

    /// The number of positions, legal or not.
    std::uint64_t size() const { return size_; }
    const std::array<PieceCode, max_men>& pieces() const { return pieces_; }
    /// The index of the position with the men on these squares. Nothing if it cannot be legal.
    std::optional<std::uint64_t> index(Squares squares) const;

private:
    /// Men that are numbered together.
    struct Group {
        int length = 0;
        std::uint64_t factor = 0;
    };
    enum class Leading : std::uint8_t { kings, three_pieces, pawns };

    bool make_groups(Material material);
    bool make_factors(const Description& description);
    std::uint64_t leading_size(int pawn_file) const;
    std::optional<std::uint64_t> leading_index(Squares& squares) const;

    std::array<PieceCode, max_men> pieces_{};
    int men_ = 0;
    Leading leading_ = Leading::kings;
    bool has_other_pawns_ = false;
    int group_count_ = 0;
    std::array<Group, max_men> groups_{};  ///< the leading group first, then the other side's pawns
    std::uint64_t size_ = 0;
};

}  // namespace engine::tablebase
