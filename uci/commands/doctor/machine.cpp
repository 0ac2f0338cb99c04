#include "uci/commands/doctor/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/large_memory.hpp"

#include "uci/util/platform.hpp"

namespace uci::commands {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Empty if there is no such file.
std::string content(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    if (file)
        text << file.rdbuf();
    return text.str();
}

/// What a line "KEY: VALUE" has behind its colon; empty without such a line.
std::string value_of(std::string_view text, std::string_view key) {
    std::istringstream lines{std::string{text}};
    for (std::string line; std::getline(lines, line);) {
        const auto colon = line.find(':');
        if (colon != std::string::npos && core::Words{line.substr(0, colon)}.rest() == key)
            return std::string{core::Words{std::string_view{line}.substr(colon + 1)}.rest()};
    }
    return {};
}

/// The number at the beginning of a text.
template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
    std::istringstream stream{std::string{text}};
    Number number{};
    if (!(stream >> number))
        return std::nullopt;
    return number;
}

/// A line "KEY: N kB" of a file in proc/, in bytes.
std::optional<std::uint64_t> bytes_of(std::string_view text, std::string_view key) {
    const auto kilobytes = leading_number<std::uint64_t>(value_of(text, key));
    if (!kilobytes)
        return std::nullopt;
    return *kilobytes * 1024;
}

/// The word in brackets of "always [madvise] never".
std::string chosen_word(std::string_view text) {
    const auto begin = text.find('[');
    const auto end = text.find(']');
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        return {};
    return std::string{text.substr(begin + 1, end - begin - 1)};
}

template <typename Number>
void lower(std::optional<Number>& least, std::optional<Number> other) {
    if (other && (!least || *other < *least))
        least = other;
}

/// The share of a processor in `cpu.max`: "QUOTA PERIOD", or "max PERIOD" without a limit.
std::optional<double> cores_of(std::string_view quota, std::string_view period) {
    const auto part = leading_number<double>(quota);
    const auto whole = leading_number<double>(period);
    if (!part || !whole || *part <= 0 || *whole <= 0)
        return std::nullopt;
    return *part / *whole;
}

std::optional<std::uint64_t> left_of(std::string_view limit, std::string_view used) {
    const auto most = leading_number<std::uint64_t>(limit);
    const auto present = leading_number<std::uint64_t>(used);
    // Version 1 writes a number near 2^63 for no limit.
    if (!most || !present || *most > std::uint64_t{1} << 60)
        return std::nullopt;
    return *most - std::min(*most, *present);
}

/// The limits of control groups: of the group that /proc/self/cgroup names and those above it.
void add_group_limits(Machine& machine, const fs::path& root) {
    const auto groups = root / "sys/fs/cgroup";
    auto name = value_of(content(root / "proc/self/cgroup"), "0");  // "0::/NAME" of version 2
    name = name.starts_with(':') ? name.substr(1) : "";
    for (fs::path group = fs::path{name}.relative_path();; group = group.parent_path()) {
        const auto folder = groups / group;
        const auto cpu = content(folder / "cpu.max");
        lower(machine.core_quota, cores_of(cpu, cpu.substr(std::min(cpu.find(' '), cpu.size()))));
        lower(machine.quota,
              left_of(content(folder / "memory.max"), content(folder / "memory.current")));
        if (group.empty())
            break;
    }
    lower(machine.core_quota, cores_of(content(groups / "cpu/cpu.cfs_quota_us"),
                                       content(groups / "cpu/cpu.cfs_period_us")));
    lower(machine.quota, left_of(content(groups / "memory/memory.limit_in_bytes"),
                                 content(groups / "memory/memory.usage_in_bytes")));
}

std::string gigabytes(std::uint64_t bytes) {
    return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1024 / mebibyte);
}

std::string core_count(int count) {
    return fmt::format("{} core{}", count, count == 1 ? "" : "s");
}

CheckResult check_cores(const Machine& machine) {
    CheckResult finding{Level::ok, "cores", std::to_string(machine.cores) + " can be used", ""};
    if (machine.core_quota && *machine.core_quota < machine.cores) {
        finding.level = Level::warning;
        finding.text = fmt::format("{}, but this container may only use {:.1f} of them on average",
                                   core_count(machine.cores), *machine.core_quota);
        finding.remedy = fmt::format("set Threads to at most {}, or raise the container's limit",
                                     std::max(1, static_cast<int>(*machine.core_quota)));
    }
    return finding;
}

CheckResult check_load(const Machine& machine, double load) {
    const auto text =
        fmt::format("{:.1f} programs on average wanted a core in the last minute", load);
    if (load < 0.75 * machine.cores)
        return {Level::ok, "load", text, ""};
    return {Level::warning, "load", text,
            "end other programs before you measure speeds or play matches"};
}

CheckResult check_memory(const Machine& machine) {
    if (machine.memory == 0)
        return {Level::note, "memory", "the system does not tell how much there is", ""};
    auto text = fmt::format("{}, {} of it available", gigabytes(machine.memory),
                            gigabytes(machine.available));
    if (machine.quota && *machine.quota < machine.available)
        text += fmt::format("; this container may use {} more", gigabytes(*machine.quota));
    return {Level::ok, "memory", text, ""};
}

}  // namespace

Machine this_machine() {
    Machine machine;
    machine.cores = util::usable_processors();
    const auto memory = util::physical_memory();
    machine.memory = memory.total;
    machine.available = memory.available;
    machine.addresses = util::address_space_limit();
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    if (const char* name = std::getenv("PROCESSOR_IDENTIFIER"))
        machine.processor = core::printable(name);
    return with_linux_files(std::move(machine), "/");
}

Machine with_linux_files(Machine machine, const fs::path& root) {
    if (const auto name = value_of(content(root / "proc/cpuinfo"), "model name"); !name.empty())
        machine.processor = core::printable(name);
    if (const auto bytes = bytes_of(content(root / "proc/meminfo"), "MemAvailable"))
        machine.available = std::min(*bytes, machine.memory);
    machine.load = leading_number<double>(content(root / "proc/loadavg"));
    machine.huge_pages = chosen_word(content(root / "sys/kernel/mm/transparent_hugepage/enabled"));
    add_group_limits(machine, root);
    return machine;
}

std::uint64_t largest_hash(const Machine& machine) {
    // For the program, its threads and what other programs may still want.
    constexpr std::uint64_t reserve = 128 * mebibyte;
    auto room = machine.available;
    room = std::min(room, machine.quota.value_or(room));
    room = std::min(room, machine.addresses.value_or(room));
    const auto megabytes = (room - std::min(room, reserve)) / mebibyte * 9 / 10;
    const std::uint64_t step = megabytes >= 4096 ? 1024 : megabytes >= 256 ? 64 : 1;
    return megabytes / step * step;
}

CheckResults check_machine(const Machine& machine) {
    CheckResults findings{check_cores(machine)};
    if (machine.load)
        findings.push_back(check_load(machine, *machine.load));
    findings.push_back(check_memory(machine));
    return findings;
}

CheckResult check_hash(const Machine& machine,
                       const std::function<bool(std::uint64_t megabytes)>& can_reserve) {
    constexpr std::uint64_t small = 64;
    auto megabytes = machine.memory == 0 ? 65'536 : largest_hash(machine);
    while (megabytes > 0 && !can_reserve(megabytes))
        megabytes = megabytes * 3 / 4;
    const auto text = fmt::format("up to {} MB can be had now", megabytes);
    if (megabytes < small)
        return {Level::warning, "Hash", text, "end other programs, or raise the memory limit"};
    return {Level::ok, "Hash", text, ""};
}

HugePageTrial try_huge_pages() {
    constexpr std::uint64_t megabytes = 64;
    const auto huge_memory = [] {
        return bytes_of(content("/proc/self/smaps_rollup"), "AnonHugePages");
    };
    const auto before = huge_memory();
    const engine::LargeMemory memory{megabytes * mebibyte};
    if (memory.size() == 0)
        return {};
    std::memset(memory.data(), 1, memory.size());
    const auto after = huge_memory();
    HugePageTrial trial{megabytes, std::nullopt};
    if (before && after)
        trial.got = (*after - std::min(*before, *after)) / mebibyte;
    return trial;
}

CheckResult check_huge_pages(const Machine& machine,
                             const HugePageTrial& trial,
                             std::optional<bool> allowed) {
    const std::string subject{"huge pages"};
    if (allowed && !*allowed)
        return {Level::warning, subject,
                "this account has none: searches with a large Hash are slower",
                "grant the account the right 'Lock pages in memory' (secpol.msc) and log in again"};
    if (machine.huge_pages == "never")
        return {Level::warning, subject, "are off: searches with a large Hash are slower",
                "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"};
    if (trial.got && *trial.got * 2 < trial.wanted)
        return {Level::warning, subject,
                fmt::format("only {} of {} MB are in them: free memory is fragmented", *trial.got,
                            trial.wanted),
                "echo 1 | sudo tee /proc/sys/vm/compact_memory"};
    if (trial.got || allowed.value_or(false))
        return {Level::ok, subject, "are used for the transposition table", ""};
    if (!machine.huge_pages.empty())
        return {Level::ok, subject, fmt::format("are allowed ({})", machine.huge_pages), ""};
    return {Level::note, subject, "the system does not tell", ""};
}

}  // namespace uci::commands
