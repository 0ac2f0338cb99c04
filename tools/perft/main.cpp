#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "core/notation.hpp"

#include "tools/perft/divide.hpp"
#include "tools/perft/epd.hpp"
#include "tools/perft/options.hpp"

namespace tools::perft {

namespace {

constexpr const char* help_text =
    "perft counts the leaves of the tree of legal moves.\n"
    "\n"
    "  perft DEPTH [FEN]            count from the start position, or from another one\n"
    "  perft --suite FILE [DEPTH]   check the known counts of a file, to this depth\n"
    "\n"
    "  --divide        show the leaves below each move\n"
    "  --chess960      write castling as the king taking its rook\n"
    "  --threads N     count with N threads (1)\n"
    "  --hash MB       remember counts in a table of this size (0: none)\n"
    "  --help          show this text\n"
    "\n"
    "A line of a suite is a FEN and its counts: FEN ;D1 20 ;D2 400\n"
    "The program ends with 0; with 1 when a count is wrong; with 2 when it cannot start.\n";

enum ExitCode : int { all_well = 0, wrong_count = 1, not_started = 2 };

using Clock = std::chrono::steady_clock;

void print_summary(std::uint64_t leaves, Clock::duration elapsed) {
    const double seconds = std::chrono::duration<double>(elapsed).count();
    fmt::print("Nodes searched: {}\n", leaves);
    fmt::print("Time: {:.0f} ms\n", seconds * 1e3);
    fmt::print("Rate: {:.1f} million leaves a second\n",
               static_cast<double>(leaves) / std::max(seconds, 1e-9) / 1e6);
}

void print_moves(const std::vector<MoveCount>& counts, bool chess960) {
    const auto style =
        chess960 ? core::CastlingStyle::king_takes_rook : core::CastlingStyle::king_moves_two;
    std::vector<std::string> lines;
    lines.reserve(counts.size());
    for (const MoveCount& count : counts)
        lines.push_back(fmt::format("{}: {}", core::coordinates(count.move, style), count.leaves));
    std::sort(lines.begin(), lines.end());
    for (const auto& line : lines)
        fmt::print("{}\n", line);
    fmt::print("\n");
}

int count_one(const Options& options, const Resources& resources) {
    const auto start = Clock::now();
    std::uint64_t leaves = 0;
    if (options.divide && *options.depth > 0) {
        const auto counts = divide(options.position, *options.depth, resources);
        for (const MoveCount& count : counts)
            leaves += count.leaves;
        print_moves(counts, options.chess960);
    }
    else {
        leaves = count_leaves(options.position, *options.depth, resources);
    }
    print_summary(leaves, Clock::now() - start);
    return all_well;
}

int check_suite(const Options& options, const Resources& resources) {
    const auto suite = read_suite(options.suite);
    if (!suite) {
        fmt::print(stderr, "perft: {}\n", suite.reason());
        return not_started;
    }
    const auto start = Clock::now();
    std::uint64_t leaves = 0;
    int checked = 0;
    int wrong = 0;
    for (const KnownPosition& known : *suite) {
        for (const KnownCount& count : known.counts) {
            if (count.depth > options.depth.value_or(count.depth))
                continue;
            const auto found = count_leaves(known.position, count.depth, resources);
            leaves += found;
            ++checked;
            if (found == count.leaves)
                continue;
            ++wrong;
            fmt::print("{}: {} leaves at depth {}, {} are known\n", known.fen, found, count.depth,
                       count.leaves);
        }
    }
    fmt::print("{} positions, {} counts checked, {} wrong\n", suite->size(), checked, wrong);
    print_summary(leaves, Clock::now() - start);
    return wrong == 0 ? all_well : wrong_count;
}

int run(std::span<const std::string_view> arguments) {
    const auto options = read_options(arguments);
    if (!options) {
        fmt::print(stderr, "perft: {}; see perft --help\n", options.reason());
        return not_started;
    }
    if (options->help) {
        fmt::print("{}", help_text);
        return all_well;
    }
    const Resources resources{options->threads, options->hash_megabytes};
    return options->suite.empty() ? count_one(*options, resources)
                                  : check_suite(*options, resources);
}

}  // namespace

}  // namespace tools::perft

int main(int count, char** words) {
    try {
        const std::vector<std::string_view> arguments(words + std::min(1, count), words + count);
        return tools::perft::run(arguments);
    }
    catch (const std::exception& error) {
        // Only memory and threads can run out here, which the arguments asked for.
        fmt::print(stderr, "perft: not enough resources ({})\n", error.what());
        return tools::perft::not_started;
    }
}
