#include "uci/util/platform.hpp"

#include <algorithm>
#include <thread>

#include "core/paths.hpp"

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <array>
#include <fcntl.h>
#include <io.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <windows.h>  // without WIN32_LEAN_AND_MEAN, for CommandLineToArgvW
#else
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#elif defined(__APPLE__)
#include <array>
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif
#endif

namespace uci::util {

#if defined(_WIN32)

namespace {

std::string utf8(std::wstring_view text) {
    const auto convert = [&](char* to, int size) {
        return WideCharToMultiByte(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), to, size,
                                   nullptr, nullptr);
    };
    std::string converted(static_cast<std::size_t>(convert(nullptr, 0)), '\0');
    convert(converted.data(), static_cast<int>(converted.size()));
    return converted;
}

HANDLE input() {
    return GetStdHandle(STD_INPUT_HANDLE);
}

bool is_console(HANDLE handle) {
    DWORD mode = 0;
    return GetConsoleMode(handle, &mode) != 0;
}

/// Reads what was typed. ReadFile() would give the letters in the console's own code page.
std::ptrdiff_t read_console(char* data, std::size_t size) {
    constexpr std::size_t most_bytes_per_letter = 3;
    std::array<wchar_t, 4'096> letters{};
    const auto most = std::min(letters.size(), size / most_bytes_per_letter);
    DWORD count = 0;
    if (ReadConsoleW(input(), letters.data(), static_cast<DWORD>(most), &count, nullptr) == 0)
        return -1;
    constexpr wchar_t end_of_input = L'\x1A';  // Ctrl-Z
    if (count > 0 && letters[0] == end_of_input)
        return 0;
    const auto text = utf8({letters.data(), count});
    std::copy(text.begin(), text.end(), data);
    return static_cast<std::ptrdiff_t>(text.size());
}

}  // namespace

std::vector<std::string> program_arguments(int count, char** arguments) {
    const std::unique_ptr<LPWSTR, decltype(&LocalFree)> words{
        CommandLineToArgvW(GetCommandLineW(), &count), LocalFree};
    if (!words)
        return {arguments + 1, arguments + count};
    std::vector<std::string> converted;
    for (int i = 1; i < count; ++i)
        converted.push_back(utf8(words.get()[i]));
    return converted;
}

std::filesystem::path program_folder() {
    std::array<wchar_t, 32'768> path{};  // the longest that Windows has
    const auto size = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    return std::filesystem::path{std::wstring{path.data(), size}}.parent_path();
}

std::filesystem::path user_data_folder() {
    const wchar_t* folder = _wgetenv(L"LOCALAPPDATA");
    return folder && *folder ? std::filesystem::path{folder} / "parley" : std::filesystem::path{};
}

void prepare_standard_streams() {
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

std::ptrdiff_t read_input(char* data, std::size_t size) {
    if (is_console(input()))
        return read_console(data, size);
    return _read(_fileno(stdin), data, static_cast<unsigned>(size));
}

std::ptrdiff_t write_output(const char* data, std::size_t size) {
    return _write(_fileno(stdout), data, static_cast<unsigned>(size));
}

std::ptrdiff_t write_error(const char* data, std::size_t size) {
    return _write(_fileno(stderr), data, static_cast<unsigned>(size));
}

void open_missing_standard_streams() {}

int open_to_append(const std::string& path) {
    return _wopen(core::utf8_path(path).c_str(), _O_WRONLY | _O_APPEND | _O_CREAT | _O_BINARY,
                  _S_IREAD | _S_IWRITE);
}

std::ptrdiff_t write_file(int descriptor, const char* data, std::size_t size) {
    return _write(descriptor, data, static_cast<unsigned>(size));
}

void close_file(int descriptor) {
    _close(descriptor);
}

bool standard_input_is_terminal() {
    return _isatty(_fileno(stdin)) != 0;
}

bool standard_error_is_terminal() {
    return _isatty(_fileno(stderr)) != 0;
}

void ignore_broken_pipes() {}

void restrict_new_files() {}

std::size_t raise_file_descriptor_limit(std::size_t wanted) {
    return wanted;
}

long process_id() {
    return static_cast<long>(GetCurrentProcessId());
}

int usable_processors() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

PhysicalMemory physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (GlobalMemoryStatusEx(&status) == 0)
        return {};
    return {status.ullTotalPhys, status.ullAvailPhys};
}

std::optional<std::uint64_t> address_space_limit() {
    return std::nullopt;
}

bool is_executable(const std::string& path) {
    DWORD type = 0;
    return GetBinaryTypeW(core::utf8_path(path).c_str(), &type) != 0;
}

#else

std::vector<std::string> program_arguments(int count, char** arguments) {
    return {arguments + std::min(count, 1), arguments + count};
}

std::filesystem::path program_folder() {
    std::error_code error;
#if defined(__APPLE__)
    std::array<char, 4'096> path{};
    auto size = static_cast<std::uint32_t>(path.size());
    if (_NSGetExecutablePath(path.data(), &size) != 0)
        return {};
    const std::filesystem::path link{path.data()};
#else
    const std::filesystem::path link{"/proc/self/exe"};
#endif
    return std::filesystem::canonical(link, error).parent_path();
}

// As the XDG Base Directory Specification says: a relative path is ignored.
std::filesystem::path user_data_folder() {
    // No other thread changes the environment.
    const char* data = std::getenv("XDG_DATA_HOME");  // NOLINT(concurrency-mt-unsafe)
    if (data && *data == '/')
        return std::filesystem::path{data} / "parley";
    const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe)
    if (home && *home == '/')
        return std::filesystem::path{home} / ".local/share/parley";
    return {};
}

void prepare_standard_streams() {
    ignore_broken_pipes();
}

std::ptrdiff_t read_input(char* data, std::size_t size) {
    for (;;) {
        const auto count = read(STDIN_FILENO, data, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

namespace {

std::ptrdiff_t write_to(int descriptor, const char* data, std::size_t size) {
    for (;;) {
        const auto count = write(descriptor, data, size);
        if (count >= 0 || errno != EINTR)
            return count;
    }
}

}  // namespace

std::ptrdiff_t write_output(const char* data, std::size_t size) {
    return write_to(STDOUT_FILENO, data, size);
}

std::ptrdiff_t write_error(const char* data, std::size_t size) {
    return write_to(STDERR_FILENO, data, size);
}

void open_missing_standard_streams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest free number is that of the missing stream.
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            static_cast<void>(open("/dev/null", O_RDWR));
    }
}

int open_to_append(const std::string& path) {
    return open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK,
                S_IRUSR | S_IWUSR);
}

std::ptrdiff_t write_file(int descriptor, const char* data, std::size_t size) {
    return write_to(descriptor, data, size);
}

void close_file(int descriptor) {
    close(descriptor);
}

bool standard_input_is_terminal() {
    return isatty(STDIN_FILENO) == 1;
}

bool standard_error_is_terminal() {
    return isatty(STDERR_FILENO) == 1;
}

void ignore_broken_pipes() {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
}

void restrict_new_files() {
    umask(S_IRWXG | S_IRWXO);
}

std::size_t raise_file_descriptor_limit(std::size_t wanted) {
    // Standard streams, listeners, a store and files opened by libraries.
    constexpr std::size_t other_files = 64;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < wanted + other_files) {
        limit.rlim_cur = std::min<rlim_t>(wanted + other_files, limit.rlim_max);
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    const auto files = static_cast<std::size_t>(limit.rlim_cur);
    return std::min(wanted, files > 2 * other_files ? files - other_files : files / 2);
}

long process_id() {
    return static_cast<long>(getpid());
}

int usable_processors() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

PhysicalMemory physical_memory() {
#if defined(__APPLE__)
    std::uint64_t total = 0;
    std::size_t size = sizeof total;
    if (sysctlbyname("hw.memsize", &total, &size, nullptr, 0) != 0)
        return {};
    return {total, total};
#else
    const auto pages = sysconf(_SC_PHYS_PAGES);
    const auto page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0)
        return {};
    const auto total = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
    return {total, total};
#endif
}

std::optional<std::uint64_t> address_space_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    return static_cast<std::uint64_t>(limit.rlim_cur);
}

bool is_executable(const std::string& path) {
    return access(core::utf8_path(path).c_str(), X_OK) == 0;
}

#endif

}  // namespace uci::util
