#include "uci/debug_log.hpp"

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using uci::DebugLog;
using uci::LogEntryKind;
using uci::read_log_entry;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// The entries of a log without their times: "> go depth 5".
std::vector<std::string> entries_of(const fs::path& path) {
    std::vector<std::string> entries;
    for (const auto& line : lines_of(path)) {
        const auto entry = read_log_entry(line);
        CAPTURE(line);
        REQUIRE(entry);
        entries.push_back(std::string{static_cast<char>(entry->kind)} + " "
                          + std::string{entry->text});
    }
    return entries;
}

using Entries = std::vector<std::string>;

}  // namespace

TEST_CASE("a debug log has an entry for each line, with its direction", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "log";
    DebugLog log;
    REQUIRE_FALSE(log.open(path.string(), {"a note"}));
    CHECK_FALSE(log.write(LogEntryKind::received, "go depth 5\r"));
    CHECK_FALSE(log.write(LogEntryKind::sent, "two\nlines"));
    CHECK_FALSE(log.write(LogEntryKind::received, ""));
    // Not only when the log is closed.
    CHECK(entries_of(path) == Entries{"# a note", "> go depth 5", "< two", "< lines", "> "});
}

TEST_CASE("a debug log without a file writes nothing", "[debug_log]") {
    DebugLog log;
    CHECK_FALSE(log.write(LogEntryKind::sent, "readyok"));
    log.close();
    CHECK_FALSE(log.write(LogEntryKind::sent, "readyok"));
}

TEST_CASE("a debug log is appended to what the file has", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "log";
    std::ofstream{path} << "cut off";
    DebugLog log;
    REQUIRE_FALSE(log.open(path.string(), {}));
    CHECK_FALSE(log.write(LogEntryKind::received, "uci"));
    log.close();
    CHECK_FALSE(log.write(LogEntryKind::received, "lost"));
    REQUIRE_FALSE(log.open(path.string(), {}));
    CHECK_FALSE(log.write(LogEntryKind::received, "quit"));
    const auto lines = lines_of(path);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "cut off");
    CHECK(read_log_entry(lines[1])->text == "uci");
    CHECK(read_log_entry(lines[2])->text == "quit");
}

TEST_CASE("a debug log that is opened again goes on without another beginning", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "log";
    DebugLog log;
    REQUIRE_FALSE(log.open(path.string(), {"begin"}));
    REQUIRE_FALSE(log.open((folder.path() / "." / "log").string(), {"begin"}));
    CHECK(entries_of(path) == Entries{"# begin"});
    fs::rename(path, folder.path() / "rotated");
    REQUIRE_FALSE(log.open(path.string(), {"begin"}));
    CHECK(entries_of(path) == Entries{"# begin"});
}

TEST_CASE("a path that cannot be a debug log is refused and the old log stays", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto old_path = folder.path() / "old";
    struct Case {
        std::string path;
        std::string reason;
    };
    const std::vector<Case> cases{
        {(folder.path() / "none" / "log").string(), "No such file or directory"},
        {folder.path().string(), "directory"},
        {(folder.path() / std::string(300, 'x')).string(), "File name too long"},
        {(old_path.string() + '\0') + "x", "the name contains a NUL byte"}};
    DebugLog log;
    for (const auto& [path, reason] : cases) {
        const auto error = log.open(path, {});
        CAPTURE(path);
        REQUIRE(error);
        CHECK(error->reason.starts_with("Debug Log File stays empty: cannot open '"));
        CHECK(error->reason.find(reason) != std::string::npos);
    }
    REQUIRE_FALSE(log.open(old_path.string(), {}));
    for (const auto& [path, reason] : cases) {
        const auto error = log.open(path, {});
        CAPTURE(path);
        REQUIRE(error);
        CHECK(error->reason.starts_with("Debug Log File stays '"));
        CHECK(error->reason.find(reason) != std::string::npos);
    }
    CHECK_FALSE(log.write(LogEntryKind::received, "uci"));
    CHECK(entries_of(old_path) == Entries{"> uci"});
}

TEST_CASE("entries of several threads do not mix", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "log";
    DebugLog log;
    REQUIRE_FALSE(log.open(path.string(), {}));
    constexpr int count = 500;
    const std::string text(100, 'x');
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
        threads.emplace_back([&] {
            for (int j = 0; j < count; ++j)
                static_cast<void>(log.write(LogEntryKind::sent, text));
        });
    for (int i = 0; i < count; ++i) {
        if (i % 100 == 0) {
            log.close();
            static_cast<void>(log.open(path.string(), {}));
        }
    }
    for (auto& thread : threads)
        thread.join();
    for (const auto& entry : entries_of(path))
        CHECK(entry == "< " + text);
}

#if !defined(_WIN32)

TEST_CASE("a new debug log belongs to its owner alone", "[debug_log]") {
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "log";
    DebugLog log;
    REQUIRE_FALSE(log.open(path.string(), {}));
    CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a full disk ends the debug log with one error", "[debug_log]") {
    if (!fs::exists("/dev/full"))
        return;
    DebugLog log;
    REQUIRE_FALSE(log.open("/dev/full", {}));
    const auto error = log.write(LogEntryKind::received, "uci");
    REQUIRE(error);
    CHECK(error->reason
          == "Debug Log File is closed: cannot write '/dev/full': No space left on device");
    CHECK_FALSE(log.write(LogEntryKind::received, "uci"));
}

#endif

TEST_CASE("a line of a debug log is recognised", "[debug_log]") {
    CHECK(read_log_entry("2026-01-31 12:00:00.123 > go depth 5")->text == "go depth 5");
    CHECK(read_log_entry("2026-01-31 12:00:00.123 < ")->text.empty());
    CHECK(read_log_entry("2026-01-31 12:00:00.123 # note")->kind == LogEntryKind::note);
    const auto other =
        GENERATE("", "go depth 5", "> go depth 5", "2026-01-31 12:00:00.123",
                 "2026-01-31 12:00:00.123 ? go", "2026-01-31 12:00:00.12 > go depth 5",
                 "2026-01-31 12:00:00.123>go depth 5", "x026-01-31 12:00:00.123 > go");
    CAPTURE(other);
    CHECK_FALSE(read_log_entry(other));
}
