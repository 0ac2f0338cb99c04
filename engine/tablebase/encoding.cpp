#include "engine/tablebase/encoding.hpp"

#include <algorithm>
#include <cassert>

namespace engine::tablebase {

namespace {

using core::Color;
using core::PieceType;
using core::Square;

// Numbers of positions of the leading three pieces: the first of them off the long diagonal; on it,
// the second off it; the first two on it, the third off it; all on it.
constexpr int three_off_diagonal = 6 * 63 * 62;
constexpr int three_first_on_diagonal = 4 * 28 * 62;
constexpr int three_two_on_diagonal = 4 * 7 * 28;
constexpr int three_sizes =
    three_off_diagonal + three_first_on_diagonal + three_two_on_diagonal + 4 * 7 * 6;
constexpr int two_kings_size = 462;

constexpr int max_leading_pawns = 5;
constexpr int pawn_squares = 48;

/// How often `k` men can be put on `n` squares, for all n up to 64.
constexpr auto binomials = [] {
    std::array<std::array<std::uint64_t, 65>, max_men> table{};
    for (std::size_t n = 0; n < table[0].size(); ++n) {
        table[0][n] = 1;
        for (std::size_t k = 1; k < table.size() && n > 0; ++k)
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
    }
    return table;
}();

constexpr std::uint64_t binomial(int n, int k) {
    assert(n >= 0 && n <= 64 && k >= 0 && k < max_men);
    return binomials[static_cast<std::size_t>(k)][static_cast<std::size_t>(n)];
}

/// Positive above the diagonal from a1 to h8, 0 on it.
constexpr int above_diagonal(Square square) {
    return square.rank() - square.file();
}
constexpr Square mirror_files(Square square) {
    return Square{square.index() ^ 7};
}
constexpr Square mirror_ranks(Square square) {
    return Square{square.index() ^ 56};
}
constexpr Square mirror_diagonal(Square square) {
    return Square::at(square.rank(), square.file());
}

/// The ten squares of the triangle a1, d1, d4: those below the diagonal, then those on it.
constexpr std::array triangle_squares{1, 2, 3, 10, 11, 19, 0, 9, 18, 27};

/// The number of the triangle's square that a square is mirrored to.
constexpr auto triangle = [] {
    std::array<int, Square::count> table{};
    for (int number = 0; number < static_cast<int>(triangle_squares.size()); ++number) {
        const Square square{triangle_squares[static_cast<std::size_t>(number)]};
        for (const Square mirrored : {square, mirror_files(square)}) {
            for (const Square other : {mirrored, mirror_ranks(mirrored)}) {
                table[core::index_of(other)] = number;
                table[core::index_of(mirror_diagonal(other))] = number;
            }
        }
    }
    return table;
}();

/// The number, 0 to 27, of a pair of mirror images beside the diagonal.
constexpr int below_diagonal(Square square) {
    const int low = std::min(square.file(), square.rank());
    const int high = std::max(square.file(), square.rank());
    return low * (13 - low) / 2 + high - 1;
}

constexpr bool are_adjacent_or_equal(Square a, Square b) {
    const int files = a.file() - b.file();
    const int ranks = a.rank() - b.rank();
    return files >= -1 && files <= 1 && ranks >= -1 && ranks <= 1;
}

/// The number of each placement of two kings, the first of them in the triangle; -1 for those that
/// are illegal or the mirror images of others. Placements on the diagonal come last.
constexpr auto two_kings = [] {
    std::array<std::array<int, Square::count>, triangle_squares.size()> table{};
    int next = 0;
    for (auto& row : table)
        row.fill(-1);
    for (const bool both_on_diagonal : {false, true}) {
        for (std::size_t i = 0; i < table.size(); ++i) {
            const Square first{triangle_squares[i]};
            for (int index = 0; index < Square::count; ++index) {
                const Square second{index};
                const bool is_on_diagonal =
                    above_diagonal(first) == 0 && above_diagonal(second) == 0;
                const bool is_mirror_image =
                    above_diagonal(first) == 0 && above_diagonal(second) > 0;
                if (is_on_diagonal == both_on_diagonal && !is_mirror_image
                    && !are_adjacent_or_equal(first, second))
                    table[i][core::index_of(second)] = next++;
            }
        }
    }
    return table;
}();

static_assert(two_kings[9][63] == two_kings_size - 1);

/// Numbers the squares of pawns, 0 to 47: falling from the edge of the board to its middle, and
/// from the second rank to the seventh.
constexpr int pawn_number(Square square) {
    assert(square.rank() >= 1 && square.rank() <= 6);
    const int from_edge = std::min(square.file(), 7 - square.file());
    return pawn_squares - 1 - 12 * from_edge - 2 * (square.rank() - 1)
         - (square.file() > 3 ? 1 : 0);
}

/// In how many ways the other leading pawns can stand if the leading one stands there.
constexpr std::uint64_t ways_behind(int pawns, int file, int rank) {
    return binomial(pawn_number(Square::at(file, rank)), pawns - 1);
}

/// For each number of leading pawns and each square of the leading one on the files a to d: the
/// number of placements with it further back on the same file; and for each of these files, of all.
struct LeadingPawns {
    std::array<std::array<std::uint64_t, Square::count>, max_leading_pawns + 1> first{};
    std::array<std::array<std::uint64_t, pawn_files>, max_leading_pawns + 1> size{};
};

constexpr LeadingPawns leading_pawns = [] {
    LeadingPawns table;
    for (int pawns = 1; pawns <= max_leading_pawns; ++pawns) {
        const auto k = static_cast<std::size_t>(pawns);
        for (int file = 0; file < pawn_files; ++file) {
            auto& sum = table.size[k][static_cast<std::size_t>(file)];
            for (int rank = 1; rank <= 6; ++rank) {
                table.first[k][core::index_of(Square::at(file, rank))] = sum;
                sum += ways_behind(pawns, file, rank);
            }
        }
    }
    return table;
}();

static_assert(leading_pawns.size[3][0] == 5201 && leading_pawns.size[5][3] == 496);

/// The index of three different pieces that the symmetries have mirrored: "111" in the format.
std::uint64_t three_pieces_index(const Squares& squares) {
    const auto [a, b, c] = std::array{squares[0], squares[1], squares[2]};
    // Squares are counted without those that the pieces before occupy.
    const int b_skips = b.index() > a.index() ? 1 : 0;
    const int c_skips = (c.index() > a.index() ? 1 : 0) + (c.index() > b.index() ? 1 : 0);
    int index = 0;
    if (above_diagonal(a) != 0)
        index = triangle[core::index_of(a)] * 63 * 62 + (b.index() - b_skips) * 62
              + (c.index() - c_skips);
    else if (above_diagonal(b) != 0)
        index = three_off_diagonal + a.file() * 28 * 62 + below_diagonal(b) * 62
              + (c.index() - c_skips);
    else if (above_diagonal(c) != 0)
        index = three_off_diagonal + three_first_on_diagonal + a.file() * 7 * 28
              + (b.file() - b_skips) * 28 + below_diagonal(c);
    else
        index = three_off_diagonal + three_first_on_diagonal + three_two_on_diagonal
              + a.file() * 7 * 6 + (b.file() - b_skips) * 6 + (c.file() - c_skips);
    assert(index >= 0 && index < three_sizes);
    return static_cast<std::uint64_t>(index);
}

/// Mirrors the board so that the first square lies in the triangle a1, d1, d4, and of the first
/// `leading` squares the first one off the diagonal lies below it.
void mirror_to_triangle(Squares& squares, int leading) {
    if (squares[0].file() > 3)
        std::transform(squares.begin(), squares.end(), squares.begin(), mirror_files);
    if (squares[0].rank() > 3)
        std::transform(squares.begin(), squares.end(), squares.begin(), mirror_ranks);
    auto* const end = squares.begin() + leading;
    auto* const off_diagonal = std::find_if(
        squares.begin(), end, [](Square square) { return above_diagonal(square) != 0; });
    if (off_diagonal != end && above_diagonal(*off_diagonal) > 0)
        std::transform(squares.begin(), squares.end(), squares.begin(), mirror_diagonal);
}

bool comes_first(Square a, Square b) {
    return pawn_number(a) > pawn_number(b);
}

/// Mirrors the board so that the leading pawn stands on the files a to d, puts it first and sorts
/// the others.
std::uint64_t leading_pawns_index(Squares& squares, int pawns) {
    auto* const end = squares.begin() + pawns;
    std::iter_swap(squares.begin(), std::min_element(squares.begin(), end, comes_first));
    if (squares[0].file() > 3)
        std::transform(squares.begin(), squares.end(), squares.begin(), mirror_files);
    std::sort(squares.begin() + 1, end, comes_first);
    auto index = leading_pawns.first[static_cast<std::size_t>(pawns)][core::index_of(squares[0])];
    for (int i = 1; i < pawns; ++i)
        index += binomial(pawn_number(squares[static_cast<std::size_t>(i)]), pawns - i);
    return index;
}

/// The colour whose pawns come first.
Color leading_color(Material material) {
    const int white = material.count(Color::white, PieceType::pawn);
    const int black = material.count(Color::black, PieceType::pawn);
    return white > 0 && (black == 0 || white <= black) ? Color::white : Color::black;
}

PieceCode code_of(Color color, PieceType type) {
    return static_cast<PieceCode>(static_cast<int>(type) + 1
                                  + (color == Color::black ? black_piece : 0));
}

/// Whether the list has the men of the material, equal ones side by side.
bool lists_the_men(std::span<const PieceCode> pieces, Material material) {
    std::array<int, 16> found{};
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i] >= found.size())
            return false;
        if (i > 0 && pieces[i] != pieces[i - 1] && found[pieces[i]] > 0)
            return false;
        ++found[pieces[i]];
    }
    for (const Color color : core::both_colors) {
        for (const PieceType type : core::all_piece_types) {
            const int wanted = type == PieceType::king ? 1 : material.count(color, type);
            if (found[code_of(color, type)] != wanted)
                return false;
        }
    }
    return true;
}

}  // namespace

Square leading_pawn(std::span<const Square> squares) {
    return *std::min_element(squares.begin(), squares.end(), comes_first);
}

int pawn_file(Square leading_pawn) {
    return std::min(leading_pawn.file(), 7 - leading_pawn.file());
}

std::optional<Encoding> Encoding::make(Material material, const Description& description) {
    Encoding encoding;
    encoding.pieces_ = description.pieces;
    encoding.men_ = material.men();
    assert(encoding.men_ >= 3 && encoding.men_ <= max_men);
    if (!encoding.make_groups(material) || !encoding.make_factors(description))
        return std::nullopt;
    return encoding;
}

bool Encoding::make_groups(Material material) {
    const auto pieces = std::span{pieces_}.first(static_cast<std::size_t>(men_));
    if (!lists_the_men(pieces, material))
        return false;
    const auto is_single = [&](PieceCode code) {
        return std::count(pieces.begin(), pieces.end(), code) == 1;
    };
    std::size_t at = 0;
    const auto add_group = [&](int length) {
        groups_[static_cast<std::size_t>(group_count_++)].length = length;
        at += static_cast<std::size_t>(length);
    };
    if (material.has_pawns()) {
        leading_ = Leading::pawns;
        const Color leader = leading_color(material);
        add_group(material.count(leader, PieceType::pawn));
        const int others = material.count(~leader, PieceType::pawn);
        has_other_pawns_ = others > 0;
        if (pieces[0] != code_of(leader, PieceType::pawn)
            || (has_other_pawns_ && pieces[at] != code_of(~leader, PieceType::pawn)))
            return false;
        if (has_other_pawns_)
            add_group(others);
    }
    else {
        leading_ = std::count_if(pieces.begin(), pieces.end(), is_single) > 2
                     ? Leading::three_pieces
                     : Leading::kings;
        add_group(leading_ == Leading::kings ? 2 : 3);
        if (!std::all_of(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(at),
                         is_single))
            return false;
    }
    while (at < pieces.size())
        add_group(static_cast<int>(std::count(pieces.begin(), pieces.end(), pieces[at])));
    return at == pieces.size();
}

/// The index is a sum of factors times numbers of placements. In the product of the factors the
/// leading group and the other side's pawns have places of their own; the others follow in order.
bool Encoding::make_factors(const Description& description) {
    const int later = has_other_pawns_ ? 2 : 1;
    const int others_place = has_other_pawns_ ? description.other_pawns_place : -1;
    if (description.leading_place >= group_count_ || others_place >= group_count_
        || description.leading_place == others_place)
        return false;
    int free_squares = Square::count - groups_[0].length - (later == 2 ? groups_[1].length : 0);
    size_ = 1;
    int next = later;
    for (int place = 0; place < group_count_; ++place) {
        int group = 0;
        std::uint64_t placements = 0;
        if (place == description.leading_place) {
            placements = leading_size(description.pawn_file);
        }
        else if (place == others_place) {
            group = 1;
            placements = binomial(pawn_squares - groups_[0].length, groups_[1].length);
        }
        else {
            group = next++;
            const int length = groups_[static_cast<std::size_t>(group)].length;
            placements = binomial(free_squares, length);
            free_squares -= length;
        }
        groups_[static_cast<std::size_t>(group)].factor = size_;
        size_ *= placements;
    }
    return true;
}

std::uint64_t Encoding::leading_size(int pawn_file) const {
    switch (leading_) {
        case Leading::kings: return two_kings_size;
        case Leading::three_pieces: return three_sizes;
        default:
            return leading_pawns.size[static_cast<std::size_t>(groups_[0].length)]
                                     [static_cast<std::size_t>(pawn_file)];
    }
}

/// Mirrors the board by the symmetries that the leading group decides.
std::optional<std::uint64_t> Encoding::leading_index(Squares& squares) const {
    if (leading_ == Leading::pawns)
        return leading_pawns_index(squares, groups_[0].length);
    mirror_to_triangle(squares, groups_[0].length);
    if (leading_ == Leading::three_pieces)
        return three_pieces_index(squares);
    const auto first = static_cast<std::size_t>(triangle[core::index_of(squares[0])]);
    const int index = two_kings[first][core::index_of(squares[1])];
    if (index < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(index);
}

std::optional<std::uint64_t> Encoding::index(Squares squares) const {
    // The symmetries mirror the whole array, so the squares behind the last man must be valid.
    std::fill(squares.begin() + men_, squares.end(), Square{0});
    const auto leading = leading_index(squares);
    if (!leading)
        return std::nullopt;
    std::uint64_t index = *leading * groups_[0].factor;
    auto* begin = squares.begin() + groups_[0].length;
    for (int g = 1; g < group_count_; ++g) {
        const auto& [length, factor] = groups_[static_cast<std::size_t>(g)];
        auto* const end = begin + length;
        std::sort(begin, end, [](Square a, Square b) { return a.index() < b.index(); });
        // Later groups count only the squares that the groups before have left free; pawns do not
        // stand on the first rank.
        const int first_square = g == 1 && has_other_pawns_ ? 8 : 0;
        std::uint64_t placement = 0;
        for (auto* at = begin; at != end; ++at) {
            const auto skipped = std::count_if(squares.begin(), begin, [&](Square square) {
                return square.index() < at->index();
            });
            placement += binomial(at->index() - static_cast<int>(skipped) - first_square,
                                  static_cast<int>(at - begin) + 1);
        }
        index += placement * factor;
        begin = end;
    }
    assert(index < size_);
    return index;
}

}  // namespace engine::tablebase
