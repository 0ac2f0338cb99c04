#include "uci/debug_log.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/paths.hpp"
#include "core/text.hpp"

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <share.h>
#include <windows.h>
#else
#include <csignal>
#include <unistd.h>
#endif

namespace uci {

namespace {

std::string last_error() {
    return std::generic_category().message(errno);
}

#if defined(_WIN32)

core::Result<int> open_file(const std::string& path) {
    int file = -1;
    const auto error = _wsopen_s(&file, core::utf8_path(path).c_str(),
                                 _O_WRONLY | _O_APPEND | _O_CREAT | _O_BINARY | _O_NOINHERIT,
                                 _SH_DENYNO, _S_IREAD | _S_IWRITE);
    if (error != 0)
        return core::Error{last_error()};
    return file;
}

bool is_same_file(int a, int b) {
    const auto information = [](int file, BY_HANDLE_FILE_INFORMATION& found) {
        auto* const handle = reinterpret_cast<HANDLE>(_get_osfhandle(file));
        return GetFileInformationByHandle(handle, &found) != 0;
    };
    BY_HANDLE_FILE_INFORMATION one{};
    BY_HANDLE_FILE_INFORMATION other{};
    return information(a, one) && information(b, other)
        && one.dwVolumeSerialNumber == other.dwVolumeSerialNumber
        && one.nFileIndexHigh == other.nFileIndexHigh && one.nFileIndexLow == other.nFileIndexLow;
}

std::ptrdiff_t write_some(int file, std::string_view text) {
    constexpr std::size_t most = std::size_t{1} << 30;
    return _write(file, text.data(), static_cast<unsigned>(std::min(text.size(), most)));
}

void close_descriptor(int file) {
    _close(file);
}

std::tm local_time(std::time_t time) {
    std::tm parts{};
    localtime_s(&parts, &time);
    return parts;
}

#else

bool is_same_file(int a, int b) {
    struct stat one {};
    struct stat other {};
    return fstat(a, &one) == 0 && fstat(b, &other) == 0 && one.st_dev == other.st_dev
        && one.st_ino == other.st_ino;
}

/// Error: why an open file cannot be a log. A log that is also standard output would disturb
/// the protocol, and one that is standard input would be read as commands.
std::optional<core::Error> check_log_file(int file) {
    struct stat status {};
    if (fstat(file, &status) != 0)
        return core::Error{last_error()};
    // A pipe whose reader is slow would stop the engine.
    if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))
        return core::Error{"not a regular file"};
    if (is_same_file(file, STDIN_FILENO) || is_same_file(file, STDOUT_FILENO))
        return core::Error{"it is the standard input or output of this program"};
    return std::nullopt;
}

core::Result<int> open_file(const std::string& path) {
    // A process that grows a file past its limit gets this signal, whose default is to end it.
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    // O_NONBLOCK: opening a pipe that nobody reads fails instead of waiting.
    const int file =
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
               S_IRUSR | S_IWUSR);
    if (file < 0)
        return core::Error{last_error()};
    if (auto error = check_log_file(file)) {
        ::close(file);
        return *std::move(error);
    }
    return file;
}

std::ptrdiff_t write_some(int file, std::string_view text) {
    for (;;) {
        const auto count = ::write(file, text.data(), text.size());
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

void close_descriptor(int file) {
    ::close(file);
}

std::tm local_time(std::time_t time) {
    std::tm parts{};
    localtime_r(&time, &parts);
    return parts;
}

#endif

std::string timestamp() {
    const auto now = std::chrono::system_clock::now();
    const auto since_epoch =
        std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03}",
                       local_time(std::chrono::system_clock::to_time_t(now)),
                       since_epoch.count() % 1000);
}

/// Whether a file ends in the middle of a line, as after a full disk.
bool lacks_line_end(const std::string& path) {
    std::ifstream file{core::utf8_path(path), std::ios::binary};
    file.seekg(-1, std::ios::end);
    char last = '\n';
    return file.get(last) && last != '\n';
}

/// The form of a timestamp; 0 stands for a digit.
constexpr std::string_view timestamp_form = "0000-00-00 00:00:00.000";

}  // namespace

DebugLog::~DebugLog() {
    close();
}

std::optional<core::Error> DebugLog::open(const std::string& path,
                                          const std::vector<std::string>& notes) {
    const std::lock_guard lock{mutex_};
    const auto refused = [&](const std::string& reason) {
        return core::Error{fmt::format("Debug Log File stays {}: cannot open {}: {}",
                                       file_ ? core::quoted(path_) : "empty", core::quoted(path),
                                       reason)};
    };
    if (path.find('\0') != std::string::npos)
        return refused("the name contains a NUL byte");
    const auto file = open_file(path);
    if (!file)
        return refused(file.reason());
    if (file_ && is_same_file(*file, *file_)) {  // set again: go on
        close_descriptor(*file);
        return std::nullopt;
    }
    close_file();
    file_ = *file;
    path_ = path;
    if (lacks_line_end(path))
        static_cast<void>(write_some(*file, "\n"));
    for (const auto& note : notes) {
        if (auto error = append(LogEntryKind::note, note))
            return error;
    }
    return std::nullopt;
}

void DebugLog::close() {
    const std::lock_guard lock{mutex_};
    close_file();
}

void DebugLog::close_file() {
    if (file_)
        close_descriptor(*file_);
    file_.reset();
}

std::optional<core::Error> DebugLog::write(LogEntryKind kind, std::string_view text) {
    const std::lock_guard lock{mutex_};
    return append(kind, text);
}

std::optional<core::Error> DebugLog::append(LogEntryKind kind, std::string_view text) {
    if (!file_)
        return std::nullopt;
    const auto prefix = fmt::format("{} {} ", timestamp(), static_cast<char>(kind));
    std::string entries;
    for (std::size_t start = 0; start <= text.size();) {
        const auto end = std::min(text.find('\n', start), text.size());
        auto line = text.substr(start, end - start);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        entries.append(prefix).append(line) += '\n';
        start = end + 1;
    }
    std::string_view rest{entries};
    while (!rest.empty()) {
        const auto count = write_some(*file_, rest);
        if (count <= 0) {
            const auto reason = last_error();
            close_file();
            return core::Error{fmt::format("Debug Log File is closed: cannot write {}: {}",
                                           core::quoted(path_), reason)};
        }
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
    return std::nullopt;
}

std::optional<LogEntry> read_log_entry(std::string_view line) {
    constexpr auto prefix_size = timestamp_form.size() + 3;
    if (line.size() < prefix_size)
        return std::nullopt;
    const auto fits = [](char letter, char form) {
        return form == '0' ? letter >= '0' && letter <= '9' : letter == form;
    };
    if (!std::equal(timestamp_form.begin(), timestamp_form.end(), line.begin(),
                    [&](char form, char letter) { return fits(letter, form); }))
        return std::nullopt;
    const auto marker = line.substr(timestamp_form.size(), 3);
    if (marker != " > " && marker != " < " && marker != " # ")
        return std::nullopt;
    return LogEntry{static_cast<LogEntryKind>(marker[1]), line.substr(prefix_size)};
}

}  // namespace uci
