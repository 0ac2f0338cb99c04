#include "uci/datagen_program.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/datagen/generator.hpp"
#include "engine/datagen/statistics.hpp"

#include "uci/arguments.hpp"

namespace uci {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* usage = R"(Parley plays itself, for games to learn from.

usage: parley datagen FOLDER [OPTION...]      play games into the files of a folder
       parley datagen --stats FILE...         describe files, or all files of a folder

  --games N       games in the folder at the end      (default: until stopped)
  --minutes N     stop after so long                  (default: never)
  --threads N     games played at a time              (default: one for each processor)
  --nodes N       nodes for a move, from 30 on: no iteration of deepening begins after
                  these, and eight times as many end it  (default 1000)
  --seed N        the same seed gives the same games  (default 1)
  --chess960 N    percent of the games that start from double Fischer random chess (default 10)

Stopped by its limits, by Ctrl-C or by a crash, it goes on where it was when it is started
again with the same folder, which belongs to one run at a time. The files are in viriformat: 32
bytes for the start of a game, 4 bytes a ply, 4 zero bytes.)";

constexpr std::chrono::seconds between_lines{10};

/// Set when the system asks the program to end.
std::atomic<bool> interrupted{false};

extern "C" void interrupt(int /*signal*/) {
    interrupted = true;
}

/// What the command line asks for.
struct Wish {
    engine::GenerationOrder order;
    std::uint64_t minutes = 0;
    bool statistics = false;
    bool help = false;
    std::vector<std::string> paths;
};

core::Result<Wish> read_wish(std::span<const std::string> arguments) {
    constexpr std::int64_t many = 1'000'000'000'000;
    constexpr std::int64_t years = 1'000'000;  // in minutes, nearly two
    Wish wish;
    wish.order.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    auto& rules = wish.order.rules;
    const auto words = read_arguments(
        arguments,
        {flag("--help", wish.help), flag("-h", wish.help), flag("--stats", wish.statistics),
         number("--games", wish.order.games, 1, many), number("--minutes", wish.minutes, 1, years),
         number("--threads", wish.order.threads, 1, 1024),
         number("--nodes", rules.nodes, 30, 1'000'000),
         number("--seed", rules.seed, 0, std::numeric_limits<std::int64_t>::max()),
         number("--chess960", rules.chess960_percent, 0, 100)});
    if (!words)
        return words.error();
    wish.paths = *words;
    if (!wish.help && wish.paths.empty())
        return core::Error{wish.statistics ? "--stats needs a file after it"
                                           : "the name of a folder is needed"};
    if (!wish.statistics && wish.paths.size() > 1)
        return core::Error{"only one folder can be filled at a time"};
    return wish;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_progress(const engine::GenerationProgress& progress, double seconds) {
    if (progress.earlier_games > 0)
        fmt::print("{} games of earlier runs and ", progress.earlier_games);
    fmt::print("{} games, {} positions, {} usable, {:.0f} positions/s, {:.2f} M usable/h\n",
               progress.games, progress.plies, progress.usable,
               static_cast<double>(progress.plies) / seconds,
               static_cast<double>(progress.usable) / seconds * 3600 / 1e6);
    static_cast<void>(std::fflush(stdout));
}

int play_games(const Wish& wish) {
    static_cast<void>(std::signal(SIGINT, interrupt));
    static_cast<void>(std::signal(SIGTERM, interrupt));
    engine::GenerationOrder order = wish.order;
    order.folder = wish.paths.front();
    const auto start = Clock::now();
    auto next_line = start + between_lines;
    const auto end = engine::generate(order, [&](const engine::GenerationProgress& progress) {
        if (Clock::now() >= next_line) {
            print_progress(progress, seconds_since(start));
            next_line += between_lines;
        }
        const bool late =
            wish.minutes > 0 && Clock::now() - start >= std::chrono::minutes{wish.minutes};
        return !late && !interrupted;
    });
    if (!end) {
        fmt::print(stderr, "datagen: {}\n", end.reason());
        return 1;
    }
    print_progress(*end, seconds_since(start));
    return 0;
}

/// A folder stands for the games in it.
std::vector<fs::path> files_of(const std::string& path) {
    std::error_code failure;
    if (!fs::is_directory(path, failure))
        return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator{path, failure}) {
        if (entry.path().extension() == ".vf")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

double average(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

void print_statistics(const engine::GameStatistics& all) {
    const auto [black, drawn, white] = all.results;
    fmt::print("games          {}\n", all.games);
    fmt::print("  White won    {} ({:.1f} %)\n", white, percent(white, all.games));
    fmt::print("  drawn        {} ({:.1f} %)\n", drawn, percent(drawn, all.games));
    fmt::print("  Black won    {} ({:.1f} %)\n", black, percent(black, all.games));
    fmt::print("  Chess960     {} ({:.1f} %)\n", all.chess960_games,
               percent(all.chess960_games, all.games));
    fmt::print("  plies        {} to {}, {:.1f} on average\n", all.shortest, all.longest,
               average(all.plies, all.games));
    fmt::print("positions      {}\n", all.plies);
    fmt::print("  usable       {} ({:.1f} %)\n", all.usable, percent(all.usable, all.plies));
    fmt::print("  in check     {} ({:.1f} %)\n", all.in_check, percent(all.in_check, all.plies));
    fmt::print("  noisy        {} ({:.1f} %)\n", all.noisy, percent(all.noisy, all.plies));
    fmt::print("  in opening   {} ({:.1f} %)\n", all.opening, percent(all.opening, all.plies));
    fmt::print("  mate seen    {} ({:.1f} %)\n", all.decisive, percent(all.decisive, all.plies));
    fmt::print("  |score|      {:.0f} centipawns on average\n",
               average(all.absolute_score, all.plies - all.decisive));
    fmt::print("  pieces       {:.1f} on average; up to 4, 8 ... 32:",
               average(all.pieces, all.plies));
    for (const auto size : all.sizes)
        fmt::print(" {:.1f} %", percent(size, all.plies));
    fmt::print("\n");
}

int describe_files(const std::vector<std::string>& paths) {
    engine::GameStatistics all;
    int status = 0;
    for (const auto& path : paths) {
        const auto files = files_of(path);
        if (files.empty()) {
            fmt::print(stderr, "datagen: {} has no games\n", path);
            status = 1;
        }
        for (const auto& file : files) {
            const auto games = engine::add_file(all, file);
            if (!games) {
                fmt::print(stderr, "datagen: {}\n", games.reason());
                status = 1;
            }
        }
    }
    print_statistics(all);
    return status;
}

}  // namespace

int datagen(std::span<const std::string> arguments) {
    const auto wish = read_wish(arguments);
    if (!wish) {
        fmt::print(stderr, "datagen: {}\n", wish.reason());
        return 2;
    }
    if (wish->help) {
        fmt::print("{}\n", usage);
        return 0;
    }
    return wish->statistics ? describe_files(wish->paths) : play_games(*wish);
}

}  // namespace uci
