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
#include "tools/perft/options.hpp"
#include "tools/perft/suite.hpp"

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
    "  --hash MB       hash table of this size (0: none)\n"
    "  --help          show this text\n"
    "\n"
    "A line of a suite is a FEN and its counts: FEN ;D1 20 ;D2 400\n"
    "Exit code: 0; 1 if a count is wrong; 2 if the arguments or the suite cannot be used.\n";

enum ExitCode : int { success = 0, wrong_count = 1, wrong_use = 2 };

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
        lines.push_back(fmt::format("{}: {}", core::to_uci(count.move, style), count.leaves));
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
    return success;
}

int check_suite(const Options& options, const Resources& resources) {
    const auto suite = read_suite(options.suite);
    if (!suite) {
        fmt::print(stderr, "perft: {}\n", suite.reason());
        return wrong_use;
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
            fmt::print("{}: {} leaves at depth {}, expected {}\n", known.fen, found, count.depth,
                       count.leaves);
        }
    }
    fmt::print("{} positions, {} counts checked, {} wrong\n", suite->size(), checked, wrong);
    print_summary(leaves, Clock::now() - start);
    return wrong == 0 ? success : wrong_count;
}

int run(std::span<const std::string_view> arguments) {
    const auto options = read_options(arguments);
    if (!options) {
        fmt::print(stderr, "perft: {}; see perft --help\n", options.reason());
        return wrong_use;
    }
    if (options->help) {
        fmt::print("{}", help_text);
        return success;
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
        // The arguments may ask for more memory or threads than the system has.
        fmt::print(stderr, "perft: not enough resources ({})\n", error.what());
        return tools::perft::wrong_use;
    }
}
