#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/position.hpp"

namespace engine::tablebase {

/// The most men that a table can have, both kings included.
inline constexpr int max_men = 7;

/// The pieces of both colours besides the kings, counted: what the name of a table tells.
class Material {
public:
    static Material of(const core::Position& position);
    /// Parses the name of a table, "KRPvKR". Nothing if it is not a canonical name (of two sides
    /// the one with more men, or else the stronger one, comes first) or has more than max_men.
    static std::optional<Material> read(std::string_view name);

    int count(core::Color color, core::PieceType type) const {
        return static_cast<int>(bits_ >> shift(color, type) & 15);
    }
    /// The men of one colour, its king included.
    int men(core::Color color) const;
    int men() const { return men(core::Color::white) + men(core::Color::black); }
    bool has_pawns() const {
        return count(core::Color::white, core::PieceType::pawn)
                 + count(core::Color::black, core::PieceType::pawn)
             > 0;
    }
    bool is_symmetric() const { return *this == with_colors_swapped(); }

    Material with_colors_swapped() const {
        return Material{bits_ >> color_bits | (bits_ & ((1ULL << color_bits) - 1)) << color_bits};
    }
    /// The material when one of these pieces is gone, of which there must be one.
    Material without(core::Color color, core::PieceType type) const {
        assert(count(color, type) > 0);
        return Material{bits_ - (1ULL << shift(color, type))};
    }
    /// This material or the one with colours swapped, whichever has a canonical name.
    Material canonical() const;
    /// The name, White first: "KRPvKR".
    std::string name() const;
    /// Exact: different materials have different keys.
    std::uint64_t key() const { return bits_; }

    friend bool operator==(Material, Material) = default;

private:
    static constexpr int color_bits = 20;  ///< four for each of five types

    explicit Material(std::uint64_t bits) : bits_{bits} {}
    static int shift(core::Color color, core::PieceType type) {
        return color_bits * static_cast<int>(color) + 4 * static_cast<int>(type);
    }
    bool is_canonical() const;

    std::uint64_t bits_ = 0;
};

}  // namespace engine::tablebase
