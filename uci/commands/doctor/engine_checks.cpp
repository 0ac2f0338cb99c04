#include "uci/commands/doctor/engine_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/fen.hpp"
#include "core/paths.hpp"
#include "core/perft.hpp"
#include "core/text.hpp"

#include "engine/bench.hpp"
#include "engine/book/polyglot_book.hpp"
#include "engine/evaluate/nnue/network.hpp"
#include "engine/evaluate/nnue/simd.hpp"
#include "engine/options.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace uci::commands {

namespace {

using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return duration<double>(Clock::now() - start).count();
}

/// The parts that a build may have.
std::vector<std::string_view> parts() {
    std::vector<std::string_view> names;
#if defined(PARLEY_SERVER)
    names.emplace_back("servers");
#endif
#if defined(PARLEY_SQLITE)
    names.emplace_back("SQLite");
#endif
#if defined(PARLEY_REDIS)
    names.emplace_back("Redis");
#endif
#if defined(PARLEY_REDIS_TLS)
    names.emplace_back("TLS for Redis");
#endif
#if defined(PARLEY_YAML)
    names.emplace_back("YAML");
#endif
    return names;
}

constexpr bool has_assertions =
#if defined(NDEBUG)
    false;
#else
    true;
#endif

struct KnownCount {
    std::string_view fen;
    int depth;
    std::uint64_t leaves;
};
constexpr std::array known_counts{
    KnownCount{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4'865'609},
    KnownCount{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4,
               4'085'603},
    KnownCount{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11'030'083},
};

constexpr std::string_view wrong_results =
    "test the memory (memtest86+) and undo any overclocking; if it remains, report a fault";

/// Numbers to compute with, small enough for every instruction set.
struct alignas(64) Numbers {
    static constexpr std::size_t count = 512;
    std::array<std::int16_t, count> values{};

    /// From -limit to limit, all different for each seed.
    Numbers(unsigned seed, int limit) {
        for (auto& value : values) {
            seed = seed * 1'664'525U + 1'013'904'223U;
            value =
                static_cast<std::int16_t>(static_cast<int>(seed >> 16U) % (2 * limit + 1) - limit);
        }
    }
};

/// The results of one set of kernels: an updated accumulator and a dot product.
struct Computed {
    Numbers updated{1, 1};
    std::int32_t product = 0;

    explicit Computed(const engine::nnue::Kernels& kernels) {
        const Numbers from{2, 300};
        const Numbers added{3, 100};
        const Numbers removed{4, 100};
        const std::int16_t* const added_row = added.values.data();
        const std::int16_t* const removed_row = removed.values.data();
        kernels.update(updated.values.data(), from.values.data(), {&added_row, 1},
                       {&removed_row, 1}, Numbers::count);
        const Numbers weights{5, 60};
        product = kernels.screlu_dot(updated.values.data(), {&added_row, 1}, weights.values.data(),
                                     Numbers::count);
    }
    bool operator==(const Computed& other) const {
        return product == other.product && updated.values == other.updated.values;
    }
};

std::string milliseconds_text(nanoseconds time) {
    return fmt::format("{:.1f} ms", duration<double, std::milli>(time).count());
}

}  // namespace

CheckResult check_program() {
    auto text = fmt::format("Parley {}, {} for {}", engine::version(), engine::compiler(),
                            engine::target());
    const auto names = parts();
    text += names.empty() ? "; without servers" : fmt::format("; with {}", fmt::join(names, ", "));
    if (!has_assertions)
        return {Level::ok, "program", text, ""};
    return {Level::warning, "program", text + "; a debug build, which is slow",
            "cmake --preset release && cmake --build --preset release"};
}

CheckResult check_simd(const engine::SimdPaths& paths,
                       const std::string& processor,
                       const std::string& forced) {
    auto text = fmt::format("{}{}runs {}; in use: {}", processor, processor.empty() ? "" : "; ",
                            fmt::join(paths.runnable, ", "), paths.used);
    const bool is_known =
        std::find(paths.runnable.begin(), paths.runnable.end(), forced) != paths.runnable.end();
    if (!forced.empty() && (!is_known || paths.used != paths.runnable.front()))
        return {Level::warning, "processor", text,
                fmt::format("unset PARLEY_SIMD ({}), which {}", core::printable(forced),
                            is_known ? "chooses slower code" : "names nothing that runs here")};
    return {Level::ok, "processor", text, ""};
}

CheckResult check_network(const std::string& path) {
    const std::string subject{"network"};
    const auto describe = [](const engine::nnue::Network& network) {
        return fmt::format("{} hidden values, checksum {:08x}", network.hidden_size(),
                           network.checksum());
    };
    if (path.empty())
        return {Level::ok, subject, "built in, " + describe(engine::evaluate::Evaluate{}.network()),
                ""};
    const auto network = engine::nnue::Network::load(path);
    if (!network)
        return {Level::broken, subject, fmt::format("{}: {}", core::quoted(path), network.reason()),
                "name another file, or none for the built-in network"};
    return {Level::ok, subject, fmt::format("{}: {}", core::quoted(path), describe(**network)), ""};
}

CheckResult check_tablebases(const std::string& path) {
    using engine::tablebase::TableKind;
    const std::string subject{"tablebases"};
    if (path.empty())
        return {Level::note, subject, "none named; --syzygy FOLDERS checks them", ""};
    const auto tables = engine::tablebase::Tablebases::open(path);
    if (!tables)
        return {Level::broken, subject, tables.reason(),
                "name the folders that have the .rtbw and .rtbz files"};
    auto text =
        fmt::format("{} WDL and {} DTZ tables, up to {} men", (*tables)->count(TableKind::wdl),
                    (*tables)->count(TableKind::dtz), (*tables)->largest());
    const auto problems = (*tables)->new_problems();
    if (!problems)
        return {Level::ok, subject, text, ""};
    return {Level::warning, subject, fmt::format("{}; {}", text, *problems),
            "fetch these files (again)"};
}

CheckResult check_books(const std::string& path) {
    const std::string subject{"books"};
    if (path.empty())
        return {Level::note, subject, "none named; --book FILES checks them", ""};
    std::size_t entries = 0;
    const auto files = core::split_paths(path);
    for (const auto& file : files) {
        auto book = engine::book::PolyglotBook::open(file);
        using Entries = std::vector<engine::book::PolyglotEntry>;
        const auto read = book ? (*book).entries() : core::Result<Entries>{book.error()};
        if (!read)
            return {Level::broken, subject,
                    fmt::format("{}: {}", core::quoted(file), read.reason()),
                    "name Polyglot books (.bin); parley book make makes one"};
        entries += read->size();
    }
    return {
        Level::ok, subject,
        fmt::format("{} file{}, {} entries", files.size(), files.size() == 1 ? "" : "s", entries),
        ""};
}

CheckResult check_rules() {
    const auto start = Clock::now();
    std::uint64_t total = 0;
    for (const auto& known : known_counts) {
        const auto position = core::read_fen(known.fen);
        const auto leaves = position ? core::perft(*position, known.depth) : 0;
        if (leaves != known.leaves)
            return {Level::broken, "perft",
                    fmt::format("{} leaves instead of {} at depth {} of {}", leaves, known.leaves,
                                known.depth, known.fen),
                    std::string{wrong_results}};
        total += leaves;
    }
    return {Level::ok, "perft",
            fmt::format("{} positions correct, {:.0f} million leaves/s", known_counts.size(),
                        static_cast<double>(total) / 1e6 / std::max(1e-6, seconds_since(start))),
            ""};
}

CheckResult check_arithmetic() {
    const auto runnable = engine::nnue::runnable_kernels();
    const Computed expected{engine::nnue::plain_kernels};
    for (std::size_t i = 0; i < runnable.count; ++i) {
        const auto& kernels = *runnable.kernels[i];
        if (!(Computed{kernels} == expected))
            return {Level::broken, "arithmetic",
                    fmt::format("the network's {} code computes something else than the plain code",
                                kernels.name),
                    std::string{wrong_results}};
    }
    return {Level::ok, "arithmetic", "all of the network's code computes the same", ""};
}

CheckResult check_speed() {
    constexpr int depth = 9;
    const auto start = Clock::now();
    engine::SearchListener nobody;
    const auto report = engine::run_bench(depth, engine::evaluate::Evaluate{}, nobody);
    const auto nodes = report ? report->nodes : 0;
    return {Level::ok, "speed",
            fmt::format("{:.0f} thousand nodes/s with one thread",
                        static_cast<double>(nodes) / 1e3 / std::max(1e-6, seconds_since(start))),
            ""};
}

ClockTrial watch_clock(milliseconds time) {
    ClockTrial trial;
    trial.smallest_step = time;
    const auto start = Clock::now();
    auto before = start;
    while (before - start < time) {
        const auto now = Clock::now();
        if (now != before)
            trial.smallest_step = std::min<nanoseconds>(trial.smallest_step, now - before);
        trial.longest_gap = std::max<nanoseconds>(trial.longest_gap, now - before);
        before = now;
    }
    trial.watched = before - start;
    return trial;
}

CheckResult check_clock(const ClockTrial& trial) {
    const milliseconds overhead{engine::Options{}.move_overhead};
    const auto text = fmt::format("steps of {} ns; interrupted for up to {} in {:.0f} s",
                                  trial.smallest_step.count(), milliseconds_text(trial.longest_gap),
                                  duration<double>(trial.watched).count());
    if (trial.smallest_step > milliseconds{1})
        return {Level::warning, "clock", text + "; it is coarse",
                "set Move Overhead to at least 50 in fast games"};
    if (trial.longest_gap <= overhead)
        return {Level::ok, "clock", text, ""};
    const auto needed = duration_cast<milliseconds>(trial.longest_gap).count() / 10 * 10 + 20;
    return {Level::warning, "clock", text,
            fmt::format("end other programs, or set Move Overhead to {}", needed)};
}

}  // namespace uci::commands
