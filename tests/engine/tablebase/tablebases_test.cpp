#include "engine/tablebase/tablebases.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "core/movegen.hpp"

#include "tests/core/positions.hpp"
#include "tests/engine/random_positions.hpp"
#include "tests/engine/tablebase/tables.hpp"

using namespace engine::tablebase;
using core::Color;
using core::Piece;
using core::PieceType;
using core::Position;
using core::Square;

namespace fs = std::filesystem;

namespace {

std::string bytes_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

std::string table_bytes(const std::string& name) {
    return bytes_of(tests::table_folder() + "/" + name);
}

/// A legal position with these men, White's in upper case; nothing if chance makes an illegal one.
std::optional<Position> random_position(std::string_view men, tests::Dice& dice) {
    core::Setup setup;
    for (const char letter : men) {
        auto& square = setup.board[dice.roll(64)];
        if (square)
            return std::nullopt;
        square = Piece::read(letter);
    }
    setup.side_to_move = dice.one_in(2) ? Color::white : Color::black;
    const auto position = Position::from(setup);
    if (!position)
        return std::nullopt;
    return *position;
}

constexpr std::array small_materials{"KQk",  "Kkq",  "KRk",  "Kkr", "KPk", "Kkp",
                                     "KRRk", "Kkrr", "KRkr", "KBk", "Kkn"};

std::vector<Position> small_positions(std::size_t count, unsigned seed) {
    tests::Dice dice{seed};
    std::vector<Position> positions;
    while (positions.size() < count) {
        if (const auto position = random_position(small_materials[dice.roll(11)], dice))
            positions.push_back(*position);
    }
    return positions;
}

/// Probes without looking at the results.
void probe(const Tablebases& tables, const std::vector<Position>& positions) {
    for (const Position& position : positions) {
        static_cast<void>(tables.probe_wdl(position));
        static_cast<void>(tables.probe_dtz(position));
    }
}

/// The WDL that follows from the moves of a position.
int wdl_by_moves(const Tablebases& tables, const Position& position) {
    const auto moves = core::legal_moves(position);
    if (moves.empty())
        return position.in_check() ? -2 : 0;
    int best = -2;
    for (const core::Move move : moves)
        best = std::max(best, -value_of(tables.probe_wdl(position.after(move)).value()));
    return best;
}

}  // namespace

TEST_CASE("WDL and DTZ are those of other programs", "[tablebase]") {
    // Where the tables of the tests do not suffice, only the message of a missing table is checked,
    // unless PARLEY_SYZYGY names a folder with more.
    const auto [fen, wdl, dtz] = GENERATE(table<const char*, int, int>({
        {"8/8/8/8/8/8/k6K/2Q5 w - - 0 1", 2, 15},
        {"3K4/8/8/8/1q6/8/8/k7 w - - 0 1", -2, -18},
        {"8/8/8/8/4K3/8/8/2r4k b - - 0 1", 2, 29},
        {"n7/8/7k/7b/8/4K3/8/8 b - - 0 1", 2, 60},
        {"N2K4/8/8/5k2/8/3B4/8/8 b - - 0 1", -2, -61},
        {"k7/8/8/8/6R1/5K2/7q/8 b - - 0 1", 2, 53},
        {"1K6/3k4/8/r7/8/6Q1/8/8 b - - 0 1", -2, -58},
        {"5n2/8/7R/8/8/8/8/k5K1 w - - 0 1", 2, 24},
        {"8/5n2/8/8/8/1n5k/8/6K1 w - - 0 1", 0, 0},
        {"8/1K6/5R2/8/8/1k6/8/5r2 w - - 0 1", 2, 1},
        {"8/K2k1q2/8/8/8/8/8/Q7 b - - 0 1", 2, 5},
        {"8/8/2Bk3K/8/8/2B5/8/8 w - - 0 1", 2, 32},
        {"8/5k2/8/8/8/3K4/5P2/8 w - - 0 1", 2, 7},
        {"8/k5p1/8/8/8/8/8/K7 w - - 0 1", -2, -16},
        {"8/2P5/8/7k/8/2K5/8/8 w - - 0 1", 2, 1},
        {"8/8/k7/P7/3P4/8/1K6/8 w - - 0 1", 2, 3},
        {"8/8/3p4/8/8/3p2K1/8/k7 w - - 0 1", -2, -6},
        {"8/5p2/8/8/8/4K3/5b2/3k4 w - - 0 1", 0, 0},
        {"8/3k4/8/4P3/7N/8/1K6/8 w - - 0 1", 2, 9},
        {"3K4/1P6/8/8/8/8/4k3/2q5 b - - 0 1", 2, 29},
        {"8/6p1/8/5k2/8/2R5/8/7K b - - 0 1", -2, -14},
        {"8/8/4P3/8/3K4/1n3k2/8/8 w - - 0 1", 2, 3},
        {"8/b3P3/8/8/8/3K4/8/4k3 b - - 0 1", -2, -2},
        {"8/8/2K5/8/7k/3p4/3P4/8 w - - 0 1", 2, 5},
        {"K7/8/1k6/8/8/3p4/3P4/8 w - - 0 1", -2, -9},
        {"8/8/3k3p/8/8/3P4/4K3/8 w - - 0 1", 0, 0},
        {"8/5K2/8/8/3k2pP/8/8/8 b - h3 0 1", 2, 1},
        {"8/8/8/k1Pp4/7K/8/8/8 w - d6 0 1", 0, 0},
        {"4k3/8/8/pP6/8/7K/8/8 w - a6 0 1", 2, 1},
        {"8/8/8/2Pp4/5K1k/8/8/8 w - d6 0 1", 2, 1},
        {"8/3B4/8/1R6/5r2/8/3K4/5k2 w - - 0 1", 1, 116},
        {"8/3B4/8/1R6/2r5/4K3/8/5k2 w - - 0 1", 1, 114},
        {"8/3B4/8/1R6/5r2/4K3/8/5k2 b - - 0 1", -1, -115},
        {"8/3B4/8/1R6/7r/4K3/8/5k2 b - - 0 1", -1, -115},
        {"7k/8/8/8/3PR3/r4K2/8/8 w - - 0 1", 2, 15},
        {"4r1k1/8/5p2/3R4/8/8/8/K7 w - - 0 1", -2, -26},
        {"8/5R2/8/3r4/3N4/8/8/4K2k w - - 0 1", 2, 8},
        {"2r5/8/8/8/K4k2/4R3/8/3R4 w - - 0 1", 2, 25},
        {"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -2, -1},
        {"7k/8/6Q1/8/8/8/8/K7 b - - 0 1", 0, 0},
    }));
    CAPTURE(fen);
    const auto tables = tests::all_tables();
    const auto position = tests::position_of(fen);
    const auto found_wdl = tables->probe_wdl(position);
    const auto found_dtz = tables->probe_dtz(position);
    if (found_wdl)
        CHECK(value_of(*found_wdl) == wdl);
    if (found_dtz)
        CHECK(*found_dtz == dtz);
    if (position.pieces().count() == 3) {
        CHECK(found_wdl);
        CHECK(found_dtz);
    }
}

TEST_CASE("a WDL is the best that a move leads to", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    tests::Dice dice{7};
    int count = 0;
    while (count < 20'000) {
        // Promotions of the pawn lead to all tables of three men.
        const auto* const men = small_materials[dice.roll(9)];
        const auto position = random_position(men, dice);
        if (!position)
            continue;
        ++count;
        const auto wdl = tables->probe_wdl(*position);
        CAPTURE(core::fen(*position));
        REQUIRE(wdl);
        REQUIRE(value_of(*wdl) == wdl_by_moves(*tables, *position));
    }
}

TEST_CASE("a DTZ counts down to a capture, a pawn move or mate", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    for (const Position& position : small_positions(5'000, 11)) {
        const int dtz = tables->probe_dtz(position).value();
        CAPTURE(core::fen(position), dtz);
        REQUIRE((dtz > 0) == (value_of(tables->probe_wdl(position).value()) > 0));
        if (dtz <= 0)
            continue;
        // Some move wins in a ply less, or zeroes and wins, or mates. A table that counts moves
        // may be wrong by one ply.
        const auto moves = core::legal_moves(position);
        const bool progress = std::any_of(moves.begin(), moves.end(), [&](core::Move move) {
            const Position next = position.after(move);
            const int reply = tables->probe_dtz(next).value();
            return reply < 0
                && (position.is_capture(move)
                    || position.piece_at_unchecked(move.from()).type() == PieceType::pawn
                    || -reply <= dtz);
        });
        REQUIRE(progress);
    }
}

TEST_CASE("positions that tables cannot know are a miss", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    const auto* const fen =
        GENERATE("4k3/8/8/8/8/8/8/4K2R w K - 0 1",           // castling
                 "4k3/8/8/8/8/8/8/2BNK3 w - - 0 1",          // no such table
                 "4k3/2q5/8/8/8/8/3R4/4K3 w - - 0 1",        // nor this
                 "rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1",  // too many men
                 "4k3/8/8/8/8/2p5/3R4/2R1K3 b - - 0 1");  // a capture leads to a table, others not
    CAPTURE(fen);
    CHECK_FALSE(tables->probe_wdl(tests::position_of(fen)));
    CHECK_FALSE(tables->probe_dtz(tests::position_of(fen)));
}

TEST_CASE("two kings are a draw without a table", "[tablebase]") {
    const auto tables = tests::tables_in(tests::table_folder());
    const auto position = tests::position_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    CHECK(tables->probe_wdl(position) == WdlScore::draw);
    CHECK(tables->probe_dtz(position) == 0);
}

TEST_CASE("a path without tables is refused", "[tablebase]") {
    const tests::TemporaryFolder empty;
    const std::string path = GENERATE("/no/such/folder", "@", "@;/no/such/folder");
    const auto tables =
        Tablebases::open(path.starts_with('@') ? empty.path().string() + path.substr(1) : path);
    CAPTURE(path);
    REQUIRE_FALSE(tables);
    CHECK_FALSE(tables.reason().empty());
}

TEST_CASE("tables in several folders are found", "[tablebase]") {
    const tests::TemporaryFolder first;
    const tests::TemporaryFolder second;
    for (const auto* const name : {"KQvK.rtbw", "KQvK.rtbz"})
        tests::write_file(first, name, table_bytes(name));
    for (const auto* const name : {"KRvK.rtbw", "KRvK.rtbz"})
        tests::write_file(second, name, table_bytes(name));
    const auto tables = tests::tables_in(first.path().string() + ";" + second.path().string());
    CHECK(tables->count(TableKind::wdl) == 2);
    CHECK(tables->count(TableKind::dtz) == 2);
    CHECK(tables->largest() == 3);
    CHECK_FALSE(tables->new_problems());
}

TEST_CASE("files that are not what their names say are left out by name", "[tablebase]") {
    const tests::TemporaryFolder folder;
    tests::write_file(folder, "KQvK.rtbw", table_bytes("KQvK.rtbw"));
    const auto good = table_bytes("KRvK.rtbw");
    const auto [bytes, reason] = GENERATE_COPY(table<std::string, std::string>({
        {"", "truncated"},
        {good.substr(0, good.size() - 64), "truncated"},
        {good.substr(0, good.size() - 1), "truncated"},
        {good + std::string(64, '\0'), "too long"},
        {table_bytes("KRvK.rtbz"), "not a Syzygy table"},
        {std::string(80, 'x'), "not a Syzygy table"},
        {table_bytes("KPvK.rtbw"), "the header is not that of this table"},
        {table_bytes("KBvK.rtbw"), "corrupt header"},
    }));
    tests::write_file(folder, "KRvK.rtbw", bytes);
    const auto tables = tests::tables_in(folder.path().string());
    const auto position = tests::position_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    CHECK_FALSE(tables->probe_wdl(position));
    const auto problems = tables->new_problems();
    REQUIRE(problems);
    CAPTURE(*problems, reason);
    CHECK(problems->find("KRvK.rtbw: ") != std::string::npos);
    CHECK(problems->find(reason) != std::string::npos);
    CHECK(problems->find("KQvK.rtbz is missing") != std::string::npos);
    CHECK_FALSE(tables->new_problems());
    CHECK(tables->probe_wdl(tests::position_of("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")) == WdlScore::win);
}

TEST_CASE("what looks like a table file but is none is left out", "[tablebase]") {
    const tests::TemporaryFolder folder;
    tests::write_file(folder, "KQvK.rtbw", table_bytes("KQvK.rtbw"));
    fs::create_directory(tests::file_in(folder, "KRvK.rtbw"));
    tests::write_file(folder, "KXvK.rtbw", "x");
    tests::write_file(folder, "KQvK.rtbw.part", "x");
    const auto tables = tests::tables_in(folder.path().string());
    CHECK(tables->count(TableKind::wdl) == 1);
    CHECK(tables->new_problems()->find("KRvK.rtbw: not a file") != std::string::npos);
}

#if !defined(_WIN32)
TEST_CASE("a table that is truncated while it is open is a miss", "[tablebase]") {
    const tests::TemporaryFolder folder;
    for (const auto* const name : {"KRRvK.rtbw", "KRRvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"})
        tests::write_file(folder, name, table_bytes(name));
    const auto tables = tests::tables_in(folder.path().string());
    const auto position = tests::position_of("8/8/3k4/8/8/2R5/1R6/K7 b - - 0 1");
    REQUIRE(tables->probe_dtz(position));
    REQUIRE_FALSE(tables->new_problems());
    fs::resize_file(tests::file_in(folder, "KRRvK.rtbz"), 64);
    tests::Dice dice{3};
    int misses = 0;
    for (int i = 0; i < 2'000; ++i) {
        const auto other = random_position("KRRk", dice);
        if (other && !tables->probe_dtz(*other))
            ++misses;
    }
    CHECK(misses > 0);
    CHECK(tables->probe_wdl(position) == WdlScore::loss);
    const auto problems = tables->new_problems();
    REQUIRE(problems);
    CHECK(problems->find("KRRvK.rtbz: corrupt or unreadable") != std::string::npos);
}
#endif

TEST_CASE("damaged tables are refused or give wrong answers, nothing worse", "[tablebase]") {
    const tests::TemporaryFolder folder;
    const auto names = std::array{"KQvK.rtbw",  "KQvK.rtbz",  "KPvK.rtbw",  "KPvK.rtbz",
                                  "KRvKR.rtbw", "KRvKR.rtbz", "KRRvK.rtbw", "KRvK.rtbz"};
    for (const auto& file : fs::directory_iterator{tests::table_folder()})
        fs::copy_file(file.path(), tests::file_in(folder, file.path().filename().string()));
    tests::Dice dice{23};
    const auto positions = small_positions(60, 5);
    for (int i = 0; i < 5'000; ++i) {
        const std::string name = names[dice.roll(names.size())];
        const auto good = table_bytes(name);
        auto bytes = good;
        if (dice.one_in(3))
            bytes.resize(dice.roll(bytes.size()));
        for (int flips = dice.between(0, 4); flips > 0 && !bytes.empty(); --flips) {
            // Every second one in the header, where the damage is worst.
            const auto end =
                dice.one_in(2) ? std::min<std::size_t>(bytes.size(), 200) : bytes.size();
            auto& byte = bytes[dice.roll(end)];
            byte = static_cast<char>(byte ^ 1 << dice.roll(8));
        }
        tests::write_file(folder, name, bytes);
        if (const auto tables = Tablebases::open(folder.path().string()))
            probe(**tables, positions);
        tests::write_file(folder, name, good);
    }
}

TEST_CASE("threads may probe while the path changes", "[tablebase]") {
    // Each thread holds what it probes; the owner replaces its own.
    std::mutex mutex;
    auto tables = tests::tables_in(tests::table_folder());
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    const auto positions = small_positions(50, 9);
    std::vector<int> expected;
    for (const Position& position : positions)
        expected.push_back(tables->probe_dtz(position).value());
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            while (!stop) {
                const auto mine = [&] {
                    const std::lock_guard lock{mutex};
                    return tables;
                }();
                for (std::size_t p = 0; p < positions.size(); ++p)
                    wrong += mine->probe_dtz(positions[p]) == expected[p] ? 0 : 1;
            }
        });
    }
    for (int i = 0; i < 1'000; ++i) {
        auto next = Tablebases::open(tests::table_folder());
        const std::lock_guard lock{mutex};
        tables = *next;
    }
    stop = true;
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}
