#pragma once

#include <chrono>
#include <string>

#include "engine/build_info.hpp"

#include "uci/commands/doctor/check_result.hpp"

namespace uci::commands {

/// This program: version, build and parts.
CheckResult check_program();

/// The processor and the network's code for it. `forced` is the environment variable PARLEY_SIMD,
/// empty if it is not set.
CheckResult check_simd(const engine::SimdPaths& paths,
                       const std::string& processor,
                       const std::string& forced);

/// The network in a file, or without a path the one in the program.
CheckResult check_network(const std::string& path);

/// Endgame tables in the folders of a path, opening books in a list of files; without a path a note
/// that names the option.
CheckResult check_tablebases(const std::string& path);
CheckResult check_books(const std::string& path);

/// Counts leaves whose numbers are known, and compares the network's code for all instruction sets
/// that run here.
CheckResult check_rules();
CheckResult check_arithmetic();

/// A short search: how many nodes a second.
CheckResult check_speed();

/// What a thread that only reads the clock has seen.
struct ClockTrial {
    std::chrono::nanoseconds watched{0};
    std::chrono::nanoseconds smallest_step{0};  ///< between two different readings
    std::chrono::nanoseconds longest_gap{0};    ///< between two readings: the thread did not run
};
ClockTrial watch_clock(std::chrono::milliseconds time);
CheckResult check_clock(const ClockTrial& trial);

}  // namespace uci::commands
