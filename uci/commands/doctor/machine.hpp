#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "uci/commands/doctor/check_result.hpp"

namespace uci::commands {

/// What the system tells of the machine, and of the container that this process may be in. Memory
/// is in bytes.
struct Machine {
    std::string processor;             ///< its name; empty if the system does not tell
    int cores = 1;                     ///< that this process may run on
    std::optional<double> core_quota;  ///< how many of them a container may use on average
    std::optional<double> load;   ///< programs that wanted a core in the last minute, on average
    std::uint64_t memory = 0;     ///< 0 if the system does not tell
    std::uint64_t available = 0;  ///< of `memory`, without swapping
    std::optional<std::uint64_t> quota;  ///< what is left of the memory that a container may use
    std::optional<std::uint64_t> addresses;  ///< that this process may have
    std::string huge_pages;                  ///< "always", "madvise", "never", or empty
};

/// The machine on which this runs.
Machine this_machine();

/// Adds what Linux tells in the folders proc/ and sys/ below `root`.
Machine with_linux_files(Machine machine, const std::filesystem::path& root);

/// The largest table in MB that the free memory has room for.
std::uint64_t largest_hash(const Machine& machine);

/// Judges processor, cores, load and memory.
CheckResults check_machine(const Machine& machine);

/// Judges how large a table can be. `can_reserve` tells whether the system grants so many MB.
CheckResult check_hash(const Machine& machine,
                       const std::function<bool(std::uint64_t megabytes)>& can_reserve);

/// How many MB of a block of memory the system has put into huge pages; nothing if it does not
/// tell.
struct HugePageTrial {
    std::uint64_t wanted = 0;
    std::optional<std::uint64_t> got;
};
/// Writes to some memory and looks.
HugePageTrial try_huge_pages();

/// Judges huge pages. `allowed` is engine::may_use_huge_pages().
CheckResult check_huge_pages(const Machine& machine,
                             const HugePageTrial& trial,
                             std::optional<bool> allowed);

}  // namespace uci::commands
