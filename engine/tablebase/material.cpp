#include "engine/tablebase/material.hpp"

#include <algorithm>
#include <array>

namespace engine::tablebase {

namespace {

using core::Color;
using core::PieceType;

/// In the order of names.
constexpr std::array types{PieceType::queen, PieceType::rook, PieceType::bishop, PieceType::knight,
                           PieceType::pawn};

constexpr std::array<char, types.size()> letters{'Q', 'R', 'B', 'N', 'P'};

}  // namespace

Material Material::of(const core::Position& position) {
    std::uint64_t bits = 0;
    for (const Color color : core::both_colors) {
        for (const PieceType type : types)
            bits |= static_cast<std::uint64_t>(position.pieces(color, type).count())
                 << shift(color, type);
    }
    return Material{bits};
}

std::optional<Material> Material::read(std::string_view name) {
    const auto separator = name.find('v');
    if (separator == std::string_view::npos || name.size() > max_men + 1)
        return std::nullopt;
    Material material{0};
    for (const Color color : core::both_colors) {
        const auto part =
            color == Color::white ? name.substr(0, separator) : name.substr(separator + 1);
        for (const char letter : part.substr(std::min<std::size_t>(1, part.size()))) {
            for (std::size_t i = 0; i < types.size(); ++i) {
                if (letters[i] == letter)
                    material.bits_ += 1ULL << shift(color, types[i]);
            }
        }
    }
    // Comparing with the canonical name finds every other mistake.
    if (!material.is_canonical() || material.men() < 3 || material.name() != name)
        return std::nullopt;
    return material;
}

int Material::men(Color color) const {
    int men = 1;
    for (const PieceType type : types)
        men += count(color, type);
    return men;
}

/// With equal numbers of men the lists of pieces are compared, the strongest first; that comes down
/// to the first type of which one side has more.
bool Material::is_canonical() const {
    if (men(Color::white) != men(Color::black))
        return men(Color::white) > men(Color::black);
    for (const PieceType type : types) {
        if (count(Color::white, type) != count(Color::black, type))
            return count(Color::white, type) > count(Color::black, type);
    }
    return true;
}

Material Material::canonical() const {
    return is_canonical() ? *this : with_colors_swapped();
}

std::string Material::name() const {
    std::string name;
    for (const Color color : core::both_colors) {
        name += color == Color::white ? "K" : "vK";
        for (std::size_t i = 0; i < types.size(); ++i)
            name.append(static_cast<std::size_t>(count(color, types[i])), letters[i]);
    }
    return name;
}

}  // namespace engine::tablebase
