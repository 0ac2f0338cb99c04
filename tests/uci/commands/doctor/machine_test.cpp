#include "uci/commands/doctor/machine.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace uci::commands;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;

/// A machine with four cores and 16 GB, 12 of them free.
Machine ordinary_machine() {
    Machine machine;
    machine.cores = 4;
    machine.memory = 16 * gigabyte;
    machine.available = 12 * gigabyte;
    return machine;
}

/// A folder that stands for the root of a Linux system.
class FakeRoot {
public:
    FakeRoot& with(const std::string& file, const std::string& text) {
        fs::create_directories((path() / file).parent_path());
        std::ofstream{path() / file} << text;
        return *this;
    }
    const fs::path& path() const { return folder_.path(); }

private:
    tests::TemporaryFolder folder_;
};

const CheckResult& result_about(const CheckResults& findings, const std::string& subject) {
    for (const auto& finding : findings) {
        if (finding.subject == subject)
            return finding;
    }
    FAIL("nothing about " << subject);
    return findings.front();
}

}  // namespace

TEST_CASE("what Linux tells of a machine is read", "[doctor]") {
    FakeRoot root;
    root.with("proc/cpuinfo", "processor\t: 0\nmodel name\t: A Processor @ 3.00GHz\n")
        .with("proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:    1048576 kB\n")
        .with("proc/loadavg", "1.25 0.50 0.10 1/200 4242\n")
        .with("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    const auto machine = with_linux_files(ordinary_machine(), root.path());
    CHECK(machine.processor == "A Processor @ 3.00GHz");
    CHECK(machine.available == gigabyte);
    CHECK(machine.load == 1.25);
    CHECK(machine.huge_pages == "madvise");
    CHECK_FALSE(machine.core_quota);
    CHECK_FALSE(machine.quota);
}

TEST_CASE("a system without these files is no fault", "[doctor]") {
    const FakeRoot root;
    const auto machine = with_linux_files(ordinary_machine(), root.path());
    CHECK(machine.available == 12 * gigabyte);
    CHECK_FALSE(machine.load);
    CHECK(machine.huge_pages.empty());
}

TEST_CASE("the least limit of a control group and those above it counts", "[doctor]") {
    FakeRoot root;
    root.with("proc/self/cgroup", "0::/outer/inner\n")
        .with("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n")
        .with("sys/fs/cgroup/outer/inner/memory.max", "4294967296\n")
        .with("sys/fs/cgroup/outer/inner/memory.current", "1073741824\n")
        .with("sys/fs/cgroup/outer/cpu.max", "150000 100000\n")
        .with("sys/fs/cgroup/outer/memory.max", "2147483648\n")
        .with("sys/fs/cgroup/outer/memory.current", "1073741824\n");
    const auto machine = with_linux_files(ordinary_machine(), root.path());
    CHECK(machine.core_quota == 1.5);
    CHECK(machine.quota == gigabyte);
}

TEST_CASE("limits of control groups of version 1 are read", "[doctor]") {
    FakeRoot root;
    root.with("proc/self/cgroup", "5:memory:/x\n")
        .with("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n")
        .with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
        .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
        .with("sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n");
    const auto machine = with_linux_files(ordinary_machine(), root.path());
    CHECK(machine.core_quota == 2.0);
    CHECK_FALSE(machine.quota);
}

TEST_CASE("the largest table leaves room and keeps within every limit", "[doctor]") {
    auto machine = ordinary_machine();
    const auto free = largest_hash(machine);
    CHECK(free < 12 * 1024);
    CHECK(free >= 9 * 1024);
    machine.quota = gigabyte;
    const auto in_container = largest_hash(machine);
    CHECK(in_container < 1024);
    CHECK(in_container >= 700);
    machine.addresses = gigabyte / 2;
    CHECK(largest_hash(machine) < 512);
    machine.available = 0;
    CHECK(largest_hash(machine) == 0);
}

TEST_CASE("a table that the system refuses is not promised", "[doctor]") {
    const auto finding =
        check_hash(ordinary_machine(), [](std::uint64_t megabytes) { return megabytes <= 1000; });
    CHECK(finding.level == Level::ok);
    CHECK(finding.text == "up to 768 MB can be had now");
    const auto refused = check_hash(ordinary_machine(), [](std::uint64_t) { return false; });
    CHECK(refused.level == Level::warning);
    CHECK(refused.text == "up to 0 MB can be had now");
    CHECK_FALSE(refused.remedy.empty());
}

TEST_CASE("a container's share of the cores is a warning with a number", "[doctor]") {
    auto machine = ordinary_machine();
    CHECK(result_about(check_machine(machine), "cores").level == Level::ok);
    machine.core_quota = 2.5;
    const auto finding = result_about(check_machine(machine), "cores");
    CHECK(finding.level == Level::warning);
    CHECK(finding.remedy.find("at most 2,") != std::string::npos);
}

TEST_CASE("a busy machine is a warning", "[doctor]") {
    auto machine = ordinary_machine();
    machine.load = 1.0;
    CHECK(result_about(check_machine(machine), "load").level == Level::ok);
    machine.load = 3.5;
    CHECK(result_about(check_machine(machine), "load").level == Level::warning);
}

TEST_CASE("huge pages are judged by what the system gave", "[doctor]") {
    auto machine = ordinary_machine();
    const HugePageTrial none{64, 0};
    const HugePageTrial all{64, 64};
    const HugePageTrial unknown{64, std::nullopt};
    CHECK(check_huge_pages(machine, unknown, std::nullopt).level == Level::note);
    CHECK(check_huge_pages(machine, unknown, true).level == Level::ok);
    CHECK(check_huge_pages(machine, unknown, false).level == Level::warning);
    machine.huge_pages = "madvise";
    CHECK(check_huge_pages(machine, all, std::nullopt).level == Level::ok);
    CHECK(check_huge_pages(machine, none, std::nullopt).level == Level::warning);
    machine.huge_pages = "never";
    const auto off = check_huge_pages(machine, none, std::nullopt);
    CHECK(off.level == Level::warning);
    CHECK(off.remedy.find("transparent_hugepage") != std::string::npos);
}

TEST_CASE("this machine has a core and memory", "[doctor]") {
    const auto machine = this_machine();
    CHECK(machine.cores >= 1);
    CHECK(machine.available <= machine.memory);
}
