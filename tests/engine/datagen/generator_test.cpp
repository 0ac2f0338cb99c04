#include "engine/datagen/generator.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/crc32.hpp"

#include "engine/datagen/folder_lock.hpp"
#include "engine/datagen/random_opening.hpp"
#include "engine/datagen/statistics.hpp"

#include "tests/engine/random_positions.hpp"
#include "tests/engine/tablebase/tables.hpp"
#include "tests/temporary_folder.hpp"

using namespace engine;
using namespace engine::datagen;
namespace fs = std::filesystem;

namespace {

/// Few nodes, few games, two files.
DatagenOptions small_order(const fs::path& folder) {
    DatagenOptions order;
    order.folder = folder;
    order.rules.seed = 7;
    order.rules.nodes = 60;
    order.rules.chess960_percent = 40;
    order.games = 5;
    order.games_per_file = 3;
    return order;
}

bool go_on(const DatagenProgress& /*progress*/) {
    return true;
}

std::string contents(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

fs::path checksum_of(fs::path game_file) {
    return game_file += ".crc";
}

/// Whether a game or sideline comes back from its bytes, except for the distances of mates.
bool is_readable(const GameRecord& record) {
    const auto bytes = write_game(record);
    const auto read = GameReader{bytes}.next();
    return read && write_game(*read) == bytes;
}

/// The size of a file's first game with its sidelines.
std::size_t size_of_first_game(const std::string& bytes) {
    GameReader reader{bytes};
    for (;;) {
        const auto record = reader.next();
        REQUIRE(record);
        if (record->result)
            return reader.offset();
    }
}

std::vector<core::Position> positions_of(const GameRecord& game) {
    std::vector<core::Position> positions{game.start};
    for (const auto& ply : game.moves)
        positions.push_back(positions.back().after(ply.move));
    return positions;
}

std::string all_games(const fs::path& folder) {
    return contents(game_file(folder, 0)) + contents(game_file(folder, 1));
}

GameStatistics statistics_of(const fs::path& folder) {
    GameStatistics statistics;
    REQUIRE(add_file(statistics, game_file(folder, 0)));
    REQUIRE(add_file(statistics, game_file(folder, 1)));
    return statistics;
}

}  // namespace

TEST_CASE("a seed and a number make a game", "[datagen]") {
    const SelfPlayRules rules{3, 60, 50};
    const std::atomic<bool> stop{false};
    SelfPlay one{rules};
    SelfPlay other{rules};
    const auto first = one.play(4, stop);
    REQUIRE(first);
    CHECK(one.play(5, stop) != first);
    CHECK(one.play(4, stop) == first);
    CHECK(other.play(4, stop) == first);
    SelfPlay differently{{4, 60, 50}};
    CHECK(differently.play(4, stop) != first);
}

TEST_CASE("a stopped game is dropped", "[datagen]") {
    // With so many nodes a game would take seconds.
    SelfPlay self_play{{1, 50'000, 0}};
    std::atomic<bool> stop{true};
    CHECK_FALSE(self_play.play(0, stop));
    stop = false;
    std::thread later{[&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds{200});
        stop = true;
    }};
    CHECK_FALSE(self_play.play(0, stop));
    later.join();
}

TEST_CASE("games are legal, and end as the last score says", "[datagen]") {
    SelfPlay self_play{{1, 60, 30}};
    const std::atomic<bool> stop{false};
    for (std::uint64_t number = 0; number < 8; ++number) {
        const auto played = self_play.play(number, stop);
        REQUIRE(played);
        const GameRecord& game = played->game;
        REQUIRE_FALSE(game.moves.empty());
        CHECK(is_readable(game));
        const Score last = game.moves.back().score;
        if (game.result == GameResult::white_won)
            CHECK(last > 0);
        if (game.result == GameResult::black_won)
            CHECK(last < 0);
    }
}

TEST_CASE("sidelines are a few plies from open positions beside the game", "[datagen]") {
    SelfPlay self_play{{1, 60, 30}};
    const std::atomic<bool> stop{false};
    std::size_t sidelines = 0;
    std::size_t of_four_plies = 0;
    std::size_t searches = 0;
    for (std::uint64_t number = 0; number < 8; ++number) {
        const auto played = self_play.play(number, stop);
        REQUIRE(played);
        const auto in_game = positions_of(played->game);
        sidelines += played->sidelines.size();
        searches += played->game.moves.size();
        for (const GameRecord& sideline : played->sidelines) {
            CHECK(is_readable(sideline));
            CHECK_FALSE(sideline.result);
            REQUIRE_FALSE(sideline.moves.empty());
            CHECK(sideline.moves.size() <= 4);
            of_four_plies += sideline.moves.size() == 4 ? 1U : 0U;
            CHECK(is_training_position(sideline.start, sideline.moves.front()));
            CHECK(std::abs(sideline.moves.front().score) < 1'000);
        }
        // Some begin with a position of the game itself, most do not.
        const auto is_elsewhere = [&](const GameRecord& sideline) {
            return std::find(in_game.begin(), in_game.end(), sideline.start) == in_game.end();
        };
        CHECK(std::count_if(played->sidelines.begin(), played->sidelines.end(), is_elsewhere) * 2
              > static_cast<std::ptrdiff_t>(played->sidelines.size()));
    }
    CHECK(sidelines > searches / 5);
    CHECK(of_four_plies > sidelines / 2);
    CHECK(sidelines < searches);
}

TEST_CASE("sidelines are played after as many searches as was said", "[datagen]") {
    const std::atomic<bool> stop{false};
    const auto sidelines_of = [&](int percent) {
        SelfPlayRules rules{1, 60, 0};
        rules.sideline_percent = percent;
        SelfPlay self_play{rules};
        std::size_t sidelines = 0;
        std::size_t searches = 0;
        for (std::uint64_t number = 0; number < 8; ++number) {
            const auto played = self_play.play(number, stop);
            REQUIRE(played);
            sidelines += played->sidelines.size();
            searches += played->game.moves.size();
        }
        return static_cast<double>(sidelines) / static_cast<double>(searches);
    };
    CHECK(sidelines_of(0) == 0);
    CHECK(sidelines_of(20) > 0);
    CHECK(sidelines_of(20) < sidelines_of(100) / 2);
}

TEST_CASE("games end where the endgame tables know the position", "[datagen]") {
    SelfPlayRules rules{1, 40, 0};
    rules.tablebases = tests::tables_in(tests::table_folder());
    SelfPlay self_play{rules};
    const std::atomic<bool> stop{false};
    for (std::uint64_t number = 0; number < 12; ++number) {
        const auto played = self_play.play(number, stop);
        REQUIRE(played);
        const auto positions = positions_of(played->game);
        for (std::size_t ply = 1; ply < played->game.moves.size(); ++ply) {
            const auto& position = positions[ply];
            const bool known =
                position.halfmove_clock() == 0 && rules.tablebases->probe_wdl(position);
            CHECK_FALSE(known);
        }
    }
}

TEST_CASE("openings are eight or nine plies deep and not over", "[datagen]") {
    Rng rng{11};
    for (int i = 0; i < 200; ++i) {
        const auto position = random_opening(rng, 50);
        if (!position)
            continue;
        const int ply = position->game_ply();
        CHECK((ply == 8 || ply == 9));
        CHECK(core::count_legal_moves(*position) > 0);
    }
}

TEST_CASE("random numbers are the same on every system", "[datagen]") {
    // The first numbers of SplitMix64 from 1234567.
    Rng rng{1'234'567};
    CHECK(rng.next() == 6'457'827'717'110'365'317ULL);
    CHECK(rng.next() == 3'203'168'211'198'807'973ULL);
}

TEST_CASE("all games that were ordered are written", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto end = generate(small_order(folder.path()), go_on);
    REQUIRE(end);
    CHECK(end->games == 5);
    CHECK(end->earlier_games == 0);
    const auto statistics = statistics_of(folder.path());
    CHECK(statistics.games == 5);
    CHECK(statistics.sidelines > 0);
    CHECK(statistics.plies == end->plies);
    CHECK(statistics.plies_of_games < statistics.plies);
    CHECK(statistics.shortest > 4);
    CHECK(statistics.training_positions == end->training_positions);
    CHECK(statistics.training_positions + statistics.in_check + statistics.noisy
              + statistics.opening
          <= statistics.plies);
}

TEST_CASE("threads do not change the games", "[datagen]") {
    const tests::TemporaryFolder one;
    const tests::TemporaryFolder two;
    auto order = small_order(one.path());
    REQUIRE(generate(order, go_on));
    order.folder = two.path();
    order.threads = 2;
    REQUIRE(generate(order, go_on));
    CHECK(all_games(one.path()) == all_games(two.path()));
}

TEST_CASE("a run continues where the last one stopped, even inside a game", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto order = small_order(folder.path());
    REQUIRE(generate(order, go_on));
    const auto whole = all_games(folder.path());
    const auto file = game_file(folder.path(), 0);
    // To nothing; within the last game; after the first game; after one more sideline; within the
    // next record.
    const auto cut = GENERATE(0, 1, 40, -1, -2, -3);
    // A run that was killed: its last games have no checksum yet.
    fs::remove(checksum_of(file));
    const auto bytes = contents(file);
    const auto first_game = size_of_first_game(bytes);
    GameReader rest{std::string_view{bytes}.substr(first_game)};
    REQUIRE(rest.next());
    const auto kept = cut == 0  ? 0
                    : cut > 0   ? bytes.size() - static_cast<std::size_t>(cut)
                    : cut == -1 ? first_game
                    : cut == -2 ? first_game + rest.offset()
                                : first_game + rest.offset() + 30;
    fs::resize_file(file, kept);
    const auto end = generate(order, go_on);
    REQUIRE(end);
    CHECK(end->games + end->earlier_games == 5);
    CHECK(end->games > 0);
    CHECK(all_games(folder.path()) == whole);
}

TEST_CASE("generation stops on request, with whole games", "[datagen]") {
    const tests::TemporaryFolder folder;
    auto order = small_order(folder.path());
    order.games = 0;
    order.games_per_file = 1'000;
    const auto end = generate(order, [](const auto& progress) { return progress.games < 2; });
    REQUIRE(end);
    GameStatistics statistics;
    REQUIRE(add_file(statistics, game_file(folder.path(), 0)));
    CHECK(statistics.games == end->games);
}

TEST_CASE("a file that has no games yet is described, one that is none is refused", "[datagen]") {
    const tests::TemporaryFolder folder;
    fs::create_directories(folder.path());
    const auto file = game_file(folder.path(), 0);
    std::ofstream{file}.flush();
    GameStatistics statistics;
    const auto games = add_file(statistics, file);
    REQUIRE(games);
    CHECK(*games == 0);
    for (const auto& path : {folder.path(), game_file(folder.path(), 1)})
        CHECK(add_file(statistics, path).reason() == path.string() + " cannot be read");
    CHECK(statistics.games == 0);
}

TEST_CASE("games by other rules are not mixed in", "[datagen]") {
    const tests::TemporaryFolder folder;
    auto order = small_order(folder.path());
    REQUIRE(generate(order, go_on));
    const auto before = all_games(folder.path());
    order.rules.nodes = 61;
    order.games = 6;
    const auto end = generate(order, go_on);
    REQUIRE_FALSE(end);
    CHECK(end.reason().find("rules.txt") != std::string::npos);
    CHECK(all_games(folder.path()) == before);
}

TEST_CASE("games that nothing is known of are not mixed in", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto order = small_order(folder.path());
    REQUIRE(generate(order, go_on));
    fs::remove(folder.path() / "rules.txt");
    const auto end = generate(order, go_on);
    REQUIRE_FALSE(end);
    CHECK(end.reason().find("no rules.txt") != std::string::npos);
}

TEST_CASE("a file with more games than it should have is refused, and ends the run", "[datagen]") {
    const tests::TemporaryFolder folder;
    auto order = small_order(folder.path());
    REQUIRE(generate(order, go_on));
    const auto games = contents(game_file(folder.path(), 0));
    std::ofstream{game_file(folder.path(), 0), std::ios::binary} << games << games;
    fs::remove(checksum_of(game_file(folder.path(), 0)));
    order.games = 0;
    order.threads = 2;
    const auto end = generate(order, go_on);
    REQUIRE_FALSE(end);
    CHECK(end.reason().find("games-000000.vf has more than 3 games") != std::string::npos);
}

TEST_CASE("a folder that cannot be is refused", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "file";
    std::ofstream{file} << "in the way";
    const auto order = small_order(file / "games");
    CHECK_FALSE(generate(order, go_on));
}

TEST_CASE("a damaged file is named with the place of the damage", "[datagen]") {
    const tests::TemporaryFolder folder;
    REQUIRE(generate(small_order(folder.path()), go_on));
    const auto path = game_file(folder.path(), 1);
    fs::resize_file(path, fs::file_size(path) - 1);
    fs::remove(checksum_of(path));
    GameStatistics statistics;
    const auto games = add_file(statistics, path);
    REQUIRE_FALSE(games);
    CHECK(games.reason().find("game 2") != std::string::npos);
    CHECK(statistics.games == 1);
    CHECK_FALSE(add_file(statistics, folder.path() / "nothing.vf"));
}

TEST_CASE("a folder belongs to one run at a time", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto options = small_order(folder.path());
    {
        fs::create_directories(folder.path());
        const auto lock = FolderLock::acquire(folder.path());
        REQUIRE(lock);
        const auto end = generate(options, go_on);
        REQUIRE_FALSE(end);
        CHECK(end.reason() == folder.path().string() + " is in use by another run of datagen");
        CHECK_FALSE(fs::exists(game_file(folder.path(), 0)));
    }
    CHECK(generate(options, go_on));
}

TEST_CASE("a checksum covers all games, also after a run that was continued", "[datagen]") {
    const tests::TemporaryFolder folder;
    auto options = small_order(folder.path());
    options.games = 1;
    REQUIRE(generate(options, go_on));
    options.games = 5;
    REQUIRE(generate(options, go_on));
    for (const std::uint64_t number : {0U, 1U}) {
        const auto path = game_file(folder.path(), number);
        const auto bytes = contents(path);
        std::ostringstream line;
        line << bytes.size() << ' ' << std::hex << std::setw(8) << std::setfill('0')
             << core::crc32(bytes) << '\n';
        CHECK(contents(checksum_of(path)) == line.str());
    }
}

TEST_CASE("a file that differs from its checksum is refused", "[datagen]") {
    const tests::TemporaryFolder folder;
    const auto options = small_order(folder.path());
    REQUIRE(generate(options, go_on));
    const auto path = game_file(folder.path(), 0);
    std::string message = "damaged";
    SECTION("a score was changed") {
        auto bytes = contents(path);
        bytes[34] ^= 1;
        std::ofstream{path, std::ios::binary} << bytes;
    }
    SECTION("the end is missing") {
        fs::resize_file(path, fs::file_size(path) - 4);
        message = "truncated";
    }
    SECTION("the checksum is not one") {
        std::ofstream{checksum_of(path)} << "something else";
        message = "not a checksum";
    }
    GameStatistics statistics;
    const auto described = add_file(statistics, path);
    REQUIRE_FALSE(described);
    CHECK(described.reason().find(message) != std::string::npos);
    const auto end = generate(options, go_on);
    REQUIRE_FALSE(end);
    CHECK(end.reason().find(message) != std::string::npos);
}

TEST_CASE("CRC-32 is that of zlib", "[datagen]") {
    CHECK(core::crc32("") == 0);
    CHECK(core::crc32("123456789") == 0xCBF43926U);
    CHECK(core::crc32("6789", core::crc32("12345")) == 0xCBF43926U);
}
