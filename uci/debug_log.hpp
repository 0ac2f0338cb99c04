#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace uci {

/// What an entry of a debug log is, by the character that it is written with.
enum class LogEntryKind : char {
    received = '>',
    sent = '<',
    note = '#'  ///< what a replay needs to know beside the lines
};

/// The notes that a log has.
namespace note {
/// Before the name and the version of the program: the log begins here.
inline constexpr std::string_view opened = "opened by ";
/// Before a command: it was received before the log was opened and still counts.
inline constexpr std::string_view earlier_command = "earlier command: ";
/// There were searches before the log was opened; what they learned is not in the log.
inline constexpr std::string_view earlier_searches = "earlier searches";
/// Before a number, and before the best move: the search was stopped in the middle of an iteration
/// when it had searched so many nodes.
inline constexpr std::string_view aborted = "aborted at node ";
}  // namespace note

/// The transcript that the option Debug Log File asks for. An entry is a line like
/// "2026-01-31 12:00:00.123 > go depth 5", in local time. It is given to the operating system at
/// once, so that a crash loses none. Its functions may be called from any thread.
class DebugLog {
public:
    DebugLog() = default;
    ~DebugLog();
    DebugLog(const DebugLog&) = delete;
    DebugLog& operator=(const DebugLog&) = delete;
    DebugLog(DebugLog&&) = delete;
    DebugLog& operator=(DebugLog&&) = delete;

    /// Appends to this file from now on, after these notes. A new file can only be read by its
    /// owner. Error: what is wrong with it; the present file stays.
    std::optional<core::Error> open(const std::string& path, const std::vector<std::string>& notes);
    void close();

    /// Writes an entry for each line of the text, if there is a file. If that fails, the file is
    /// closed. Error, once: why.
    std::optional<core::Error> write(LogEntryKind kind, std::string_view text);

private:
    std::optional<core::Error> append(LogEntryKind kind, std::string_view text);
    void close_file();

    std::mutex mutex_;  ///< guards what follows
    std::optional<int> file_;
    std::string path_;
};

/// An entry of a debug log as it is read back.
struct LogEntry {
    LogEntryKind kind{};
    std::string_view text;
};

/// Reads a line of a debug log; nothing if it is none.
std::optional<LogEntry> read_log_entry(std::string_view line);

}  // namespace uci
