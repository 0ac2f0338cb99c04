#include "engine/tablebase/encoding.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace engine::tablebase;
using core::Square;

namespace {

/// A sub-table of a real file, and a position in it.
struct Sample {
    const char* material;
    std::vector<PieceCode> pieces;
    int leading_place;
    int other_pawns_place;
    int pawn_file;
    std::vector<const char*> squares;  ///< in the order of the pieces
    std::uint64_t size;
    std::uint64_t index;
};

std::optional<Encoding> encoding_of(const Sample& sample) {
    Encoding::Description description;
    std::copy(sample.pieces.begin(), sample.pieces.end(), description.pieces.begin());
    description.leading_place = sample.leading_place;
    description.other_pawns_place = sample.other_pawns_place;
    description.pawn_file = sample.pawn_file;
    const auto material = Material::read(sample.material);
    REQUIRE(material);
    return Encoding::make(*material, description);
}

Squares squares_of(const std::vector<const char*>& names) {
    Squares squares{};
    std::transform(names.begin(), names.end(), squares.begin(),
                   [](const char* name) { return Square::read(name).value(); });
    return squares;
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all{
        {"KRRvK", {14, 6, 4, 4}, 1, 0, 0, {"d6", "a1", "b2", "c3"}, 873'642, 627'090},
        {"KRRvK", {6, 14, 4, 4}, 0, 0, 0, {"a1", "d6", "b2", "c3"}, 873'642, 66'885},
        {"KQvKR", {6, 12, 5, 14}, 1, 0, 0, {"d7", "a3", "b1", "d5"}, 1'911'252, 1'103'943},
        {"KQvKR", {14, 5, 12, 6}, 1, 0, 0, {"d5", "b1", "a3", "d7"}, 1'911'252, 1'792'996},
        {"KPPvK", {1, 1, 6, 14}, 2, 0, 1, {"b2", "e4", "a1", "d1"}, 680'760, 22'816},
        {"KPPvK", {1, 1, 6, 14}, 2, 0, 1, {"e4", "g2", "a1", "d1"}, 680'760, 26'729},
        {"KPvKP", {1, 9, 6, 14}, 3, 1, 1, {"b2", "d5", "a1", "d1"}, 1'066'524, 7'440},
        {"KRvKP", {9, 4, 6, 14}, 3, 0, 3, {"d2", "h1", "a1", "c4"}, 1'429'596, 89'845},
    };
    return all;
}

}  // namespace

TEST_CASE("indices are those of the format", "[tablebase]") {
    for (const Sample& sample : samples()) {
        const auto encoding = encoding_of(sample);
        CAPTURE(sample.material, sample.index);
        REQUIRE(encoding);
        CHECK(encoding->size() == sample.size);
        CHECK(encoding->index(squares_of(sample.squares)) == sample.index);
    }
}

TEST_CASE("the order of equal men does not change an index", "[tablebase]") {
    const auto encoding = encoding_of(samples()[0]);
    REQUIRE(encoding);
    CHECK(encoding->index(squares_of({"d6", "a1", "c3", "b2"})) == samples()[0].index);
}

TEST_CASE("every placement of four different men has an index of its own", "[tablebase]") {
    const auto encoding = encoding_of({"KQRvK", {5, 6, 14, 4}, 0, 0, 0, {}, 0, 0});
    REQUIRE(encoding);
    std::vector<bool> seen(encoding->size());
    std::size_t count = 0;
    // Up to symmetry: the first man stands in the triangle, off the diagonal.
    for (const char* first : {"b1", "c1", "d1", "c2", "d2", "d3"}) {
        for (int rest = 0; rest < 64 * 64 * 64; ++rest) {
            auto squares = squares_of({first});
            squares[1] = Square{rest / 64 / 64};
            squares[2] = Square{rest / 64 % 64};
            squares[3] = Square{rest % 64};
            const core::Bitboard men{1ULL << squares[0].index() | 1ULL << squares[1].index()
                                     | 1ULL << squares[2].index() | 1ULL << squares[3].index()};
            if (men.count() < 4)
                continue;
            const auto index = encoding->index(squares).value();
            if (!seen.at(index))
                ++count;
            seen[index] = true;
        }
    }
    CHECK(count == std::size_t{6} * 63 * 62 * 61);
}

TEST_CASE("descriptions that do not fit the material are refused", "[tablebase]") {
    Sample sample = samples()[6];
    SECTION("another piece") {
        sample.pieces[2] = 5;
    }
    SECTION("no piece") {
        sample.pieces[0] = 0;
    }
    SECTION("the wrong side's pawn leads") {
        std::swap(sample.pieces[0], sample.pieces[1]);
    }
    SECTION("a place beyond the groups") {
        sample.leading_place = 4;
    }
    SECTION("one place for two groups") {
        sample.other_pawns_place = 3;
    }
    CHECK_FALSE(encoding_of(sample));
}

TEST_CASE("equal men that do not stand side by side are refused", "[tablebase]") {
    Sample sample = samples()[0];
    sample.pieces = {4, 14, 6, 4};
    CHECK_FALSE(encoding_of(sample));
}

TEST_CASE("names of tables are read and written", "[tablebase]") {
    const auto* const name =
        GENERATE("KQvK", "KPvK", "KBNvK", "KRPvKR", "KQvKR", "KBBvKN", "KQQBvKRR", "KPPPPPvK");
    CAPTURE(name);
    const auto material = Material::read(name);
    REQUIRE(material);
    CHECK(material->name() == name);
    CHECK(material->canonical() == *material);
    CHECK(material->with_colors_swapped().canonical() == *material);
}

TEST_CASE("what is not the name of a table is refused", "[tablebase]") {
    const auto* const name =
        GENERATE("", "K", "v", "KvK", "KRvKQ", "KvKQ", "KQ", "KPQvK", "kqvk", "KQvKx", "KXvK",
                 "KQvKvK", "QvK", "KQQQQQQvK", "KQQQQQvKQ", "KNvKB", "KQvK ", "vvvvvvvv");
    CAPTURE(name);
    CHECK_FALSE(Material::read(name));
}
