#pragma once

#include <string>
#include <string_view>
#include <vector>

// What this program was made from, with what, and what of it this machine runs.
namespace engine {

/// "0.1.0" for a release, "0.1.0+3.gabcdef1234" between releases.
std::string_view version();
/// The commit in hexadecimal, or "unknown".
std::string_view commit();
/// Such as "GCC 12.2.0".
std::string compiler();
/// The processor and system that the program is for, such as "x86-64 Linux".
std::string target();

/// The SIMD paths of the network in this program, by the names that PARLEY_SIMD takes.
struct SimdPaths {
    std::string_view used;
    std::vector<std::string_view> runnable;  ///< the fastest first
    std::vector<std::string_view> others;    ///< what this machine cannot run
};
SimdPaths simd_paths();

}  // namespace engine
