#include "engine/book/opening_book.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/fen.hpp"
#include "core/notation.hpp"

#include "engine/book/book_builder.hpp"

#include "tests/catch.hpp"
#include "tests/engine/random_positions.hpp"
#include "tests/temporary_folder.hpp"

using namespace core;
using namespace engine::book;

namespace {

template <typename T>
T value_of(core::Result<T> result) {
    REQUIRE(result);
    return std::move(*result);
}

Game game_of(std::string_view fen, const std::vector<std::string>& moves) {
    Game game{value_of(read_fen(fen))};
    REQUIRE(game.play(moves));
    return game;
}

Game from_start(const std::vector<std::string>& moves) {
    Game game;
    REQUIRE(game.play(moves));
    return game;
}

PolyglotEntry entry(const Game& game, const std::string& move, std::uint16_t weight) {
    return {polyglot_key(game), polyglot_code(value_of(read_move(game.position(), move))), weight,
            0};
}

void write(const std::filesystem::path& path, const std::vector<PolyglotEntry>& entries) {
    std::ofstream file{path, std::ios::binary};
    for (const auto& entry : entries) {
        const auto bytes = entry.bytes();
        file.write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    }
}

/// A book with three moves at the start and one after 1. e4.
std::vector<PolyglotEntry> small_book() {
    const Game start;
    const Game e4 = from_start({"e2e4"});
    std::vector<PolyglotEntry> entries{entry(start, "d2d4", 30), entry(start, "e2e4", 60),
                                       entry(start, "a2a4", 0), entry(e4, "c7c5", 5)};
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    return entries;
}

std::vector<std::string> codes(const std::vector<PolyglotEntry>& entries) {
    std::vector<std::string> texts;
    for (const auto& entry : entries)
        texts.push_back(std::to_string(entry.key) + " " + std::to_string(entry.move) + " "
                        + std::to_string(entry.weight));
    return texts;
}

}  // namespace

TEST_CASE("a book's key counts a double push beside an enemy pawn, even one that is pinned",
          "[book]") {
    // Computed with python-chess.
    CHECK(polyglot_key(game_of("1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1", {"a2a4"}))
          == 0x7c8b1820b550894bULL);
    CHECK(polyglot_key(game_of("k7/8/8/8/2p5/8/P7/1R2K3 w - - 0 1", {"a2a4"}))
          == 0x80e7fa682a9371ddULL);
    // From the description of the format.
    CHECK(polyglot_key(from_start({"e2e4", "d7d5", "e4e5", "f7f5"})) == 0x22a48b5a8e47ff78ULL);
    CHECK(polyglot_key(from_start({"a2a4", "b7b5", "h2h4", "b5b4", "c2c4"}))
          == 0x3c8123ea7b067637ULL);
}

TEST_CASE("every legal move has a code of its own that leads back to it", "[book]") {
    for (const Position& position : tests::random_positions(2'000, 7)) {
        for (const Move move : legal_moves(position)) {
            CAPTURE(fen(position), to_uci(move, CastlingStyle::king_takes_rook));
            REQUIRE(move_of_code(position, polyglot_code(move)) == move);
        }
    }
}

TEST_CASE("castling and promotions have the codes of the format", "[book]") {
    const auto code = [](std::string_view fen, std::string_view move) {
        const auto position = value_of(read_fen(fen));
        return polyglot_code(value_of(read_move(position, move)));
    };
    const std::string_view castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    CHECK(code(castling, "O-O") == (4 << 6 | 7));
    CHECK(code(castling, "O-O-O") == (4 << 6 | 0));
    const std::string_view promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    CHECK(code(promotion, "a8=N") == (1 << 12 | 48 << 6 | 56));
    CHECK(code(promotion, "a8=Q") == (4 << 12 | 48 << 6 | 56));
}

TEST_CASE("an entry's bytes are big-endian", "[book]") {
    const PolyglotEntry entry{0x0102030405060708ULL, 0x090A, 0x0B0C, 0x0D0E0F10};
    const auto bytes = entry.bytes();
    for (std::size_t i = 0; i < bytes.size(); ++i)
        CHECK(bytes[i] == i + 1);
    const auto read = PolyglotEntry::read(bytes);
    CHECK(read.bytes() == bytes);
}

TEST_CASE("a file that is no book is refused with the reason", "[book]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "a.bin";
    auto entries = small_book();
    std::string reason;
    SECTION("missing") {
        reason = "No such file";
    }
    SECTION("of an odd size") {
        write(path, entries);
        std::filesystem::resize_file(path, 33);
        reason = "33 bytes are not a multiple of 16";
    }
    SECTION("unsorted") {
        std::reverse(entries.begin(), entries.end());
        write(path, entries);
        reason = "is not in the order of the keys";
    }
    SECTION("empty") {
        write(path, {});
        reason = "empty file";
    }
    const auto book = OpeningBook::open(path.string());
    REQUIRE_FALSE(book);
    CHECK(book.reason().find(reason) != std::string::npos);
    CHECK(book.reason().find("a.bin") != std::string::npos);
}

TEST_CASE("moves are chosen by weight, evenly, or the heaviest; never those of weight 0",
          "[book]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "a.bin";
    write(path, small_book());
    auto book = value_of(OpeningBook::open(path.string()));
    const auto shares = [&](Variety variety) {
        std::map<std::string, int> counts;
        constexpr int draws = 900;
        for (int i = 0; i < draws; ++i) {
            const auto random = UINT64_MAX / (2 * draws) * static_cast<std::uint64_t>(2 * i + 1);
            const auto choice = book.choose(Game{}, variety, random);
            REQUIRE(choice);
            CHECK(choice->candidates.size() == 2);
            ++counts[to_uci(choice->move, CastlingStyle::king_moves_two)];
        }
        return counts;
    };
    using Counts = std::map<std::string, int>;
    CHECK(shares(Variety::best) == Counts{{"e2e4", 900}});
    CHECK(shares(Variety::even) == Counts{{"e2e4", 450}, {"d2d4", 450}});
    CHECK(shares(Variety::weighted) == Counts{{"e2e4", 600}, {"d2d4", 300}});
}

TEST_CASE("a book's move that is not legal is passed over", "[book]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "a.bin";
    const Game start;
    auto bad = entry(start, "e2e4", 100);
    bad.move = 0xFFFF;
    write(path, {bad, entry(start, "e2e4", 1)});
    auto book = value_of(OpeningBook::open(path.string()));
    CHECK(book.choose(start, Variety::best, 0)->candidates.size() == 1);
    CHECK_FALSE(book.choose(from_start({"d2d4"}), Variety::best, 0));
}

TEST_CASE("the first of several books that knows a position answers", "[book]") {
    const tests::TemporaryFolder folder;
    const Game start;
    const auto first = (folder.path() / "1.bin").string();
    const auto second = (folder.path() / "2.bin").string();
    write(first, {entry(start, "c2c4", 1)});
    write(second, small_book());
    auto book = value_of(OpeningBook::open(first + ";;" + second));
    CHECK(book.choose(start, Variety::best, 0)->file == first);
    const auto choice = book.choose(from_start({"e2e4"}), Variety::best, 0);
    REQUIRE(choice);
    CHECK(choice->file == second);
    CHECK(to_uci(choice->move, CastlingStyle::king_moves_two) == "c7c5");
    CHECK_FALSE(OpeningBook::open(";"));
}

TEST_CASE("a builder weighs moves by the points of their player", "[book]") {
    BuildRules rules;
    rules.min_games = 1;
    rules.min_score = 0;
    rules.min_percent = 0;
    const auto add = [](BookBuilder& builder, const std::string& moves) {
        builder.add(value_of(read_pgn("[White \"Anna\"]\n[Black \"Bert\"]\n\n" + moves)));
    };
    const auto built = [&] {
        BookBuilder builder{rules};
        add(builder, "1. e4 e5 1-0");
        add(builder, "1. e4 c5 1/2-1/2");
        add(builder, "1. d4 *");
        add(builder, "1. a4 0-1");
        return codes(builder.entries());
    };
    const Game start;
    const Game e4 = from_start({"e2e4"});
    const auto expect = [](std::vector<PolyglotEntry> entries) {
        std::stable_sort(entries.begin(), entries.end(),
                         [](const auto& a, const auto& b) { return a.key < b.key; });
        return codes(entries);
    };
    // e5 and a4 gave nothing to the players who chose them.
    CHECK(built()
          == expect({entry(start, "e2e4", 3), entry(start, "d2d4", 1), entry(e4, "c7c5", 1)}));
    SECTION("of one side") {
        rules.only = Color::black;
        CHECK(built() == expect({entry(e4, "c7c5", 1)}));
    }
    SECTION("of one player") {
        rules.player = "Anna";
        CHECK(built() == expect({entry(start, "e2e4", 3), entry(start, "d2d4", 1)}));
    }
    SECTION("played often") {
        rules.min_games = 2;
        CHECK(built() == expect({entry(start, "e2e4", 3)}));
    }
    SECTION("with a good score") {
        rules.min_score = 60;
        CHECK(built() == expect({entry(start, "e2e4", 3)}));
    }
    SECTION("with a large share") {
        rules.min_percent = 50;
        CHECK(built() == expect({entry(start, "e2e4", 3), entry(e4, "c7c5", 1)}));
    }
    SECTION("early in the game") {
        rules.max_ply = 1;
        CHECK(built() == expect({entry(start, "e2e4", 3), entry(start, "d2d4", 1)}));
    }
    SECTION("all alike") {
        rules.uniform = true;
        CHECK(built()
              == expect({entry(start, "d2d4", 1), entry(start, "e2e4", 1), entry(e4, "c7c5", 1)}));
    }
}

TEST_CASE("a position's numbers are halved before a weight needs more than 16 bits", "[book]") {
    BuildRules rules;
    BookBuilder builder{rules};
    const auto won = value_of(read_pgn("1. e4 1-0"));
    const auto drawn = value_of(read_pgn("1. d4 1/2-1/2"));
    for (int i = 0; i < 3'000; ++i)
        builder.add(drawn);
    for (int i = 0; i < 20'000; ++i)
        builder.add(won);
    const auto entries = builder.entries();
    REQUIRE(!entries.empty());
    CHECK(entries.front().weight < 16'384);
    CHECK(entries.front().weight > 8'000);
}

TEST_CASE("of merged books the first decides about a position that both know", "[book]") {
    const Game start;
    const Game e4 = from_start({"e2e4"});
    const std::vector<PolyglotEntry> first{entry(start, "c2c4", 1)};
    auto merged = codes(merge(first, small_book()));
    std::sort(merged.begin(), merged.end());
    auto expected = codes({entry(start, "c2c4", 1), entry(e4, "c7c5", 5)});
    std::sort(expected.begin(), expected.end());
    CHECK(merged == expected);
}
