#include "uci/commands/datagen.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/paths.hpp"

#include "engine/datagen/generator.hpp"
#include "engine/datagen/statistics.hpp"

#include "uci/command_line.hpp"
#include "uci/util/interrupt.hpp"

namespace uci::commands {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds progress_interval{10};

struct Options {
    engine::datagen::DatagenOptions settings;
    std::uint64_t minutes = 0;
    bool statistics = false;
    std::string tables;
    std::vector<std::string> paths;
};

void add_options(CommandLine& line, Options& options) {
    constexpr std::int64_t many = 1'000'000'000'000;
    constexpr std::int64_t years = 1'000'000;  // in minutes, nearly two
    auto& rules = options.settings.rules;
    line.words("FOLDER", options.paths,
               "The folder to write games to; with --stats files or folders");
    line.flag("--stats", options.statistics, "Describe the games of files or folders");
    line.number("--games", options.settings.games, 1, many,
                "Games in the folder at the end; without it datagen runs until it is stopped");
    line.number("--minutes", options.minutes, 1, years, "Stop after this time; without it never");
    line.number("--threads", options.settings.threads, 1, 1024, "Games played at a time");
    line.number("--nodes", rules.nodes, 30, 1'000'000,
                "Soft node limit of a move: no iteration begins after it. Eight times as many "
                "nodes end the search");
    line.number("--seed", rules.seed, 0, std::numeric_limits<std::int64_t>::max(),
                "Seed of the random openings; the same seed gives the same games");
    line.number("--chess960", rules.chess960_percent, 0, 100,
                "Percent of the games that start from double Fischer random chess");
    line.number(
        "--sidelines", rules.sideline_percent, 0, 100,
        "Percent of the searches after which a sideline of four plies is played, from one of the "
        "positions that the search evaluated");
    line.text("--syzygy", options.tables, "PATH",
              "Folders of Syzygy tables, which end the games whose positions they know");
    line.footer(
        "Stopped by its limits, by Ctrl-C or by a crash, datagen continues when it is started "
        "again\n"
        "with the same folder. One run at a time may use a folder. The files are in viriformat: "
        "32\n"
        "bytes for the start of a game, 4 bytes for each ply, 4 zero bytes. A sideline has 1 in "
        "the\n"
        "last of the 32 bytes and no result; other programs take it for a drawn game: for them, "
        "use\n"
        "--sidelines 0.");
}

/// What is wrong with the paths.
std::optional<std::string> path_error(const Options& options) {
    if (options.paths.empty())
        return options.statistics ? "--stats needs a file or folder" : "a folder is required";
    if (!options.statistics && options.paths.size() > 1)
        return "only one folder can be given";
    return std::nullopt;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_progress(const engine::datagen::DatagenProgress& progress, double seconds) {
    if (progress.earlier_games > 0)
        fmt::print("{} games of earlier runs and ", progress.earlier_games);
    fmt::print(
        "{} games, {} positions, {} for training, {:.0f} positions/s, {:.2f} M for training/h\n",
        progress.games, progress.plies, progress.training_positions,
        static_cast<double>(progress.plies) / seconds,
        static_cast<double>(progress.training_positions) / seconds * 3600 / 1e6);
    static_cast<void>(std::fflush(stdout));
}

int play_games(const Options& options) {
    const auto& interrupted = util::interrupt_requested();
    engine::datagen::DatagenOptions settings = options.settings;
    settings.folder = core::utf8_path(options.paths.front());
    if (!options.tables.empty()) {
        const auto tables = engine::tablebase::Tablebases::open(options.tables);
        if (!tables)
            return report_failure("datagen", "--syzygy: " + tables.reason());
        settings.rules.tablebases = *tables;
    }
    const auto start = Clock::now();
    auto next_line = start + progress_interval;
    bool has_begun = false;
    const auto end =
        engine::datagen::generate(settings, [&](const engine::datagen::DatagenProgress& progress) {
            // For those who wait for it, as tools/train/generate does: the settings are accepted.
            if (!std::exchange(has_begun, true)) {
                fmt::print("playing into {}\n", options.paths.front());
                static_cast<void>(std::fflush(stdout));
            }
            if (Clock::now() >= next_line) {
                print_progress(progress, seconds_since(start));
                next_line += progress_interval;
            }
            const bool late = options.minutes > 0
                           && Clock::now() - start >= std::chrono::minutes{options.minutes};
            return !late && !interrupted;
        });
    if (!end)
        return report_failure("datagen", end.reason());
    print_progress(*end, seconds_since(start));
    return exit_success;
}

/// A folder stands for the games in it.
std::vector<fs::path> files_of(const std::string& name) {
    std::error_code failure;
    const auto path = core::utf8_path(name);
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

void print_statistics(const engine::datagen::GameStatistics& all) {
    const auto [black, drawn, white] = all.results;
    fmt::print("games          {}\n", all.games);
    fmt::print("  White won    {} ({:.1f} %)\n", white, percent(white, all.games));
    fmt::print("  drawn        {} ({:.1f} %)\n", drawn, percent(drawn, all.games));
    fmt::print("  Black won    {} ({:.1f} %)\n", black, percent(black, all.games));
    fmt::print("  Chess960     {} ({:.1f} %)\n", all.chess960_games,
               percent(all.chess960_games, all.games));
    fmt::print("  plies        {} to {}, {:.1f} on average\n", all.shortest, all.longest,
               average(all.plies_of_games, all.games));
    fmt::print("sidelines      {}\n", all.sidelines);
    fmt::print("positions      {}\n", all.plies);
    fmt::print("  for training {} ({:.1f} %)\n", all.training_positions,
               percent(all.training_positions, all.plies));
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
    engine::datagen::GameStatistics all;
    int status = exit_success;
    for (const auto& path : paths) {
        const auto files = files_of(path);
        if (files.empty())
            status = report_failure("datagen", path + " has no games");
        for (const auto& file : files) {
            const auto games = engine::datagen::add_file(all, file);
            if (!games)
                status = report_failure("datagen", games.reason());
        }
    }
    print_statistics(all);
    return status;
}

}  // namespace

int datagen(std::span<const std::string> arguments) {
    Options options;
    options.settings.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    CommandLine line{"datagen", "Plays games against itself and writes them as training data."};
    add_options(line, options);
    if (const auto status = line.parse(arguments))
        return *status;
    if (const auto error = path_error(options))
        return line.refuse(*error);
    return options.statistics ? describe_files(options.paths) : play_games(options);
}

}  // namespace uci::commands
