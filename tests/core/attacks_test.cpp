#include "core/attacks.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

using namespace core;

namespace {

using Steps = std::vector<std::pair<int, int>>;

const Steps diagonal_steps{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
const Steps straight_steps{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
const Steps knight_steps{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

bool on_board(int file, int rank) {
    return file >= 0 && file <= 7 && rank >= 0 && rank <= 7;
}

/// The squares in each direction up to the edge or the first occupied square, included.
Bitboard walk(Square from, const Steps& steps, Bitboard occupied) {
    Bitboard seen;
    for (const auto& [files, ranks] : steps) {
        int file = from.file() + files;
        int rank = from.rank() + ranks;
        while (on_board(file, rank)) {
            const auto square = Square::at(file, rank);
            seen |= Bitboard{square};
            if (occupied.contains(square))
                break;
            file += files;
            rank += ranks;
        }
    }
    return seen;
}

/// On a full board a walk is one step long.
Bitboard single_steps(Square from, const Steps& steps) {
    return walk(from, steps, Bitboard::all());
}

/// All subsets of a set, by the carry-rippler trick.
std::vector<Bitboard> subsets(Bitboard set) {
    std::vector<Bitboard> result;
    std::uint64_t subset = 0;
    do {
        result.emplace_back(subset);
        subset = (subset - set.bits()) & set.bits();
    } while (subset != 0);
    return result;
}

/// The squares passed on a straight walk between two squares; none if there is no such walk.
Bitboard walked_between(Square a, Square b) {
    const int files = b.file() - a.file();
    const int ranks = b.rank() - a.rank();
    const int length = std::max(std::abs(files), std::abs(ranks));
    Bitboard passed;
    if (files != 0 && ranks != 0 && std::abs(files) != std::abs(ranks))
        return passed;
    for (int i = 1; i < length; ++i)
        passed |=
            Bitboard{Square::at(a.file() + i * files / length, a.rank() + i * ranks / length)};
    return passed;
}

Steps king_steps() {
    Steps steps = diagonal_steps;
    steps.insert(steps.end(), straight_steps.begin(), straight_steps.end());
    return steps;
}

}  // namespace

TEST_CASE("slider attacks match a walk along their lines", "[attacks]") {
    std::mt19937_64 random{3};
    int differences = 0;
    for (int round = 0; round < 3000; ++round) {
        // Sparse and dense occupancies in turn.
        const Bitboard occupied{round % 2 == 0 ? random() & random() : random()};
        for (int i = 0; i < Square::count; ++i) {
            const Square from{i};
            const auto diagonal = walk(from, diagonal_steps, occupied);
            const auto straight = walk(from, straight_steps, occupied);
            differences += bishop_attacks(from, occupied) == diagonal ? 0 : 1;
            differences += rook_attacks(from, occupied) == straight ? 0 : 1;
            differences += queen_attacks(from, occupied) == (diagonal | straight) ? 0 : 1;
        }
    }
    CHECK(differences == 0);
}

TEST_CASE("slider attacks are right for every occupancy of their lines", "[attacks]") {
    int differences = 0;
    for (int i = 0; i < Square::count; i += 9) {  // the long diagonal has a square of each kind
        const Square from{i};
        for (const Bitboard occupied : subsets(bishop_rays(from)))
            differences +=
                bishop_attacks(from, occupied) == walk(from, diagonal_steps, occupied) ? 0 : 1;
        for (const Bitboard occupied : subsets(rook_rays(from)))
            differences +=
                rook_attacks(from, occupied) == walk(from, straight_steps, occupied) ? 0 : 1;
    }
    CHECK(differences == 0);
}

TEST_CASE("knights and kings attack the squares one step away", "[attacks]") {
    for (int i = 0; i < Square::count; ++i) {
        const Square from{i};
        CHECK(knight_attacks(from) == single_steps(from, knight_steps));
        CHECK(king_attacks(from) == single_steps(from, king_steps()));
    }
}

TEST_CASE("pawns attack forwards, singly and as a set", "[attacks]") {
    std::mt19937_64 random{4};
    for (int round = 0; round < 100; ++round) {
        const Bitboard pawns{random() & random() & ~0xFF000000000000FFULL};
        Bitboard white;
        Bitboard black;
        for (const Square from : pawns) {
            CHECK(pawn_attacks(Color::white, from) == single_steps(from, {{1, 1}, {-1, 1}}));
            CHECK(pawn_attacks(Color::black, from) == single_steps(from, {{1, -1}, {-1, -1}}));
            white |= pawn_attacks(Color::white, from);
            black |= pawn_attacks(Color::black, from);
        }
        CHECK(pawn_attacks<Color::white>(pawns) == white);
        CHECK(pawn_attacks<Color::black>(pawns) == black);
    }
}

TEST_CASE("piece_attacks agrees with the function of each type", "[attacks]") {
    const Bitboard occupied{0x00FF00000000FF00ULL};
    const auto square = "c4"_sq;
    CHECK(piece_attacks(PieceType::knight, square, occupied) == knight_attacks(square));
    CHECK(piece_attacks(PieceType::bishop, square, occupied) == bishop_attacks(square, occupied));
    CHECK(piece_attacks(PieceType::rook, square, occupied) == rook_attacks(square, occupied));
    CHECK(piece_attacks(PieceType::queen, square, occupied) == queen_attacks(square, occupied));
    CHECK(piece_attacks(PieceType::king, square, occupied) == king_attacks(square));
}

TEST_CASE("rays are the attacks on an empty board", "[attacks]") {
    for (int i = 0; i < Square::count; ++i) {
        const Square from{i};
        CHECK(bishop_rays(from) == walk(from, diagonal_steps, Bitboard{}));
        CHECK(rook_rays(from) == walk(from, straight_steps, Bitboard{}));
    }
}

TEST_CASE("between holds the squares passed on a straight walk", "[attacks]") {
    for (int i = 0; i < Square::count; ++i) {
        for (int j = 0; j < Square::count; ++j) {
            const Square a{i};
            const Square b{j};
            if (!(between(a, b) == walked_between(a, b)))
                FAIL(a.name() << ' ' << b.name());
        }
    }
    CHECK(between("a1"_sq, "d4"_sq) == (Bitboard{"b2"_sq} | Bitboard{"c3"_sq}));
    CHECK(between("e1"_sq, "e2"_sq).empty());
    CHECK(between("a1"_sq, "b3"_sq).empty());
}
