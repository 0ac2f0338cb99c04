#include "engine/tablebase/mapped_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "core/paths.hpp"

namespace engine::tablebase {

/// A range of addresses whose read errors are ours. Regions are never freed, only used again, so
/// that a handler of read errors may walk their list at any time.
struct MappedFile::Region {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::size_t> size{0};  ///< 0 while the region is not in use
    std::atomic<bool> failed{false};
    Region* next = nullptr;  ///< fixed before the region is published

    /// The handler of read errors is installed with the first region.
    static Region* add(std::span<const std::uint8_t> bytes);
    void remove() { size.store(0); }
    static Region* find(std::uintptr_t address);

private:
    static void install_handler();

    // A signal handler can only reach static data.
    static inline std::atomic<Region*> first{nullptr};
    static inline std::mutex mutex;  ///< guards adding: of regions to the list, of bytes to regions
    static inline bool has_handler = false;
};

MappedFile::Region* MappedFile::Region::add(std::span<const std::uint8_t> bytes) {
    const std::lock_guard lock{mutex};
    if (!std::exchange(has_handler, true))
        install_handler();
    Region* region = first.load();
    while (region != nullptr && region->size.load() != 0)
        region = region->next;
    if (region == nullptr) {
        region = new Region;
        region->next = first.load();
        first.store(region);
    }
    region->failed.store(false);
    region->begin.store(reinterpret_cast<std::uintptr_t>(bytes.data()));
    region->size.store(bytes.size());
    return region;
}

/// The region in use that an address lies in; null if there is none.
MappedFile::Region* MappedFile::Region::find(std::uintptr_t address) {
    Region* region = first.load();
    while (region != nullptr && address - region->begin.load() >= region->size.load())
        region = region->next;
    return region;
}

bool MappedFile::has_failed() const {
    return region_->failed.load();
}

#if defined(_WIN32)

namespace {

core::Error last_error() {
    return {std::system_category().message(static_cast<int>(GetLastError()))};
}

/// Closes a handle at the end of its scope.
struct Handle {
    explicit Handle(HANDLE opened) : value{opened} {}
    ~Handle() {
        if (value != nullptr && value != INVALID_HANDLE_VALUE)
            CloseHandle(value);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle(Handle&&) = delete;
    Handle& operator=(Handle&&) = delete;
    HANDLE value;
};

}  // namespace

/// The system raises an exception where a mapped page cannot be read. A view cannot be replaced in
/// part, so zeros take the place of all of it, and the read goes on: the decoder bounds whatever it
/// reads, and its caller asks has_failed(). Another thread that reads in the moment between the two
/// calls raises an exception as well, and repeats its read until the zeros are there.
void MappedFile::Region::install_handler() {
    AddVectoredExceptionHandler(1, [](EXCEPTION_POINTERS* exception) -> LONG {
        const auto& record = *exception->ExceptionRecord;
        if (record.ExceptionCode != EXCEPTION_IN_PAGE_ERROR
            && record.ExceptionCode != EXCEPTION_ACCESS_VIOLATION)
            return EXCEPTION_CONTINUE_SEARCH;
        Region* const region = find(record.ExceptionInformation[1]);
        if (region == nullptr)
            return EXCEPTION_CONTINUE_SEARCH;
        if (region->failed.exchange(true))  // before anybody can read the zeros
            return EXCEPTION_CONTINUE_EXECUTION;
        auto* const begin = reinterpret_cast<void*>(region->begin.load());
        UnmapViewOfFile(begin);
        if (VirtualAlloc(begin, region->size.load(), MEM_RESERVE | MEM_COMMIT, PAGE_READONLY)
            == nullptr) {
            region->remove();
            return EXCEPTION_CONTINUE_SEARCH;
        }
        return EXCEPTION_CONTINUE_EXECUTION;
    });
}

core::Result<MappedFile> MappedFile::open(const std::string& path) {
    const Handle file{CreateFileW(core::utf8_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ,
                                  nullptr, OPEN_EXISTING,
                                  FILE_ATTRIBUTE_NORMAL | FILE_FLAG_RANDOM_ACCESS, nullptr)};
    if (file.value == INVALID_HANDLE_VALUE)
        return last_error();
    LARGE_INTEGER size{};
    if (GetFileSizeEx(file.value, &size) == 0)
        return last_error();
    if (size.QuadPart == 0)
        return core::Error{"empty file"};
    if (static_cast<std::uint64_t>(size.QuadPart) > SIZE_MAX)
        return core::Error{"too large for this machine's address space"};
    const Handle mapping{CreateFileMappingW(file.value, nullptr, PAGE_READONLY, 0, 0, nullptr)};
    if (mapping.value == nullptr)
        return last_error();
    // The view stays when both handles are closed.
    const void* const view = MapViewOfFile(mapping.value, FILE_MAP_READ, 0, 0, 0);
    if (view == nullptr)
        return last_error();
    const std::span bytes{static_cast<const std::uint8_t*>(view),
                          static_cast<std::size_t>(size.QuadPart)};
    return MappedFile{bytes, Region::add(bytes)};
}

MappedFile::~MappedFile() {
    if (bytes_.empty())
        return;
    region_->remove();
    auto* const begin = const_cast<std::uint8_t*>(bytes_.data());
    if (has_failed())
        VirtualFree(begin, 0, MEM_RELEASE);
    else
        UnmapViewOfFile(begin);
}

#else

namespace {

std::uintptr_t page_size = 0;
struct sigaction previous_action {};

}  // namespace

/// The system raises SIGBUS where a mapped page cannot be read. Puts a page of zeros there and lets
/// the read go on: the decoder bounds whatever it reads, and its caller asks has_failed().
void MappedFile::Region::install_handler() {
    page_size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = [](int /*signal*/, siginfo_t* info, void* /*context*/) {
        const int error = errno;
        const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        Region* const region = find(address);
        if (region != nullptr) {
            region->failed.store(true);  // before anybody can read the zeros
            // NOLINTNEXTLINE(performance-no-int-to-ptr): the system counts in pages
            auto* const page = reinterpret_cast<void*>(address / page_size * page_size);
            if (mmap(page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
                != MAP_FAILED) {
                errno = error;
                return;
            }
        }
        // Not an address of a mapped file: repeat the read with the previous handler.
        sigaction(SIGBUS, &previous_action, nullptr);
        errno = error;
    };
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, &previous_action);
}

namespace {

core::Error last_error() {
    return {std::generic_category().message(errno)};
}

/// Closes a file descriptor at the end of its scope.
struct Descriptor {
    explicit Descriptor(int opened) : value{opened} {}
    ~Descriptor() {
        if (value >= 0)
            close(value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&&) = delete;
    Descriptor& operator=(Descriptor&&) = delete;
    int value;
};

}  // namespace

core::Result<MappedFile> MappedFile::open(const std::string& path) {
    // Without O_NONBLOCK opening a named pipe waits for its writer.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.value < 0)
        return last_error();
    struct stat status {};
    if (fstat(file.value, &status) != 0)
        return last_error();
    if (!S_ISREG(status.st_mode))
        return core::Error{"not a file"};
    if (status.st_size == 0)
        return core::Error{"empty file"};
    if (static_cast<std::uint64_t>(status.st_size) > SIZE_MAX)
        return core::Error{"too large for this machine's address space"};
    const auto size = static_cast<std::size_t>(status.st_size);
    // The mapping stays when the descriptor is closed.
    void* const data = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.value, 0);
    if (data == MAP_FAILED)
        return last_error();
    // Reading ahead would fetch what no probe needs. A hint: failure does no harm.
    posix_madvise(data, size, POSIX_MADV_RANDOM);
    const std::span bytes{static_cast<const std::uint8_t*>(data), size};
    return MappedFile{bytes, Region::add(bytes)};
}

MappedFile::~MappedFile() {
    if (bytes_.empty())
        return;
    region_->remove();
    munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

#endif

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_{std::exchange(other.bytes_, {})},
      region_{std::exchange(other.region_, nullptr)} {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(region_, other.region_);
    return *this;
}

}  // namespace engine::tablebase
