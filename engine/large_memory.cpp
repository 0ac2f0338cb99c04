#include "engine/large_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/threading.hpp"

// Allocates memory in pages; each system has its own functions for that.
#if defined(_WIN32)
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace engine {

namespace {

#if defined(_WIN32)

/// Asks for the right to lock pages in memory, which large pages need and most accounts lack.
bool may_lock_pages() {
    HANDLE token = nullptr;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &token) == 0)
        return false;
    TOKEN_PRIVILEGES wanted{};
    wanted.PrivilegeCount = 1;
    wanted.Privileges[0].Attributes = SE_PRIVILEGE_ENABLED;
    // A success of AdjustTokenPrivileges() alone does not mean that the right was granted.
    const bool granted =
        LookupPrivilegeValueW(nullptr, L"SeLockMemoryPrivilege", &wanted.Privileges[0].Luid) != 0
        && AdjustTokenPrivileges(token, FALSE, &wanted, 0, nullptr, nullptr) != 0
        && GetLastError() == ERROR_SUCCESS;
    CloseHandle(token);
    return granted;
}

/// Large pages, if this account may have them and the memory is not too fragmented; else null.
void* allocate_large_pages(std::size_t bytes) {
    static const std::size_t page = may_lock_pages() ? GetLargePageMinimum() : 0;
    if (page == 0 || bytes < page)
        return nullptr;
    const std::size_t whole_pages = (bytes + page - 1) / page * page;
    return VirtualAlloc(nullptr, whole_pages, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES,
                        PAGE_READWRITE);
}

void* allocate(std::size_t bytes) {
    if (void* const data = allocate_large_pages(bytes))
        return data;
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

std::optional<bool> huge_pages_allowed() {
    return may_lock_pages();
}

std::optional<std::uint64_t> bytes_available() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    if (GlobalMemoryStatusEx(&status) == 0)
        return std::nullopt;
    return status.ullAvailPhys;
}

void release(void* data, std::size_t /*bytes*/) {
    VirtualFree(data, 0, MEM_RELEASE);
}

#else

/// Null if there is not enough memory.
std::byte* map_pages(std::size_t bytes) {
    void* const data =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

#if defined(MADV_HUGEPAGE)

/// Begins at a huge page: otherwise the first and last of them would be small pages.
void* allocate(std::size_t bytes) {
    constexpr std::size_t huge_page = 2 << 20;
    std::byte* const mapped = map_pages(bytes + huge_page);
    if (mapped == nullptr)
        return nullptr;
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) % huge_page;
    if (before > 0)
        munmap(mapped, before);
    munmap(mapped + before + bytes, huge_page - before);
    madvise(mapped + before, bytes, MADV_HUGEPAGE);  // a hint: failure does no harm
    return mapped + before;
}

#else

void* allocate(std::size_t bytes) {
    return map_pages(bytes);
}

#endif

std::optional<bool> huge_pages_allowed() {
    return std::nullopt;
}

/// From /proc, which only Linux has.
std::optional<std::uint64_t> bytes_available() {
    std::ifstream file{"/proc/meminfo"};
    for (std::string line; std::getline(file, line);) {
        std::uint64_t kilobytes = 0;
        if (std::istringstream{line} >> line >> kilobytes && line == "MemAvailable:")
            return kilobytes * 1024;
    }
    return std::nullopt;
}

void release(void* data, std::size_t bytes) {
    munmap(data, bytes);
}

#endif

}  // namespace

LargeMemory::LargeMemory(std::size_t bytes) : data_{allocate(bytes)}, size_{data_ ? bytes : 0} {}

LargeMemory::~LargeMemory() {
    if (data_ != nullptr)
        release(data_, size_);
}

LargeMemory::LargeMemory(LargeMemory&& other) noexcept
    : data_{std::exchange(other.data_, nullptr)},
      size_{std::exchange(other.size_, 0)} {}

LargeMemory& LargeMemory::operator=(LargeMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

void LargeMemory::zero(int threads) {
    // A thread costs less than this takes.
    constexpr std::size_t bytes_per_thread = 32 << 20;
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)),
                                              size_ / bytes_per_thread + 1);
    const std::size_t part = (size_ / wanted + 4095) / 4096 * 4096;
    const auto zero_part = [this, part](std::size_t index) {
        const std::size_t begin = std::min(index * part, size_);
        std::memset(static_cast<std::byte*>(data_) + begin, 0, std::min(part, size_ - begin));
    };
    std::vector<std::unique_ptr<Thread>> helpers;
    std::size_t index = 0;
    try {
        for (; index + 1 < wanted; ++index)
            helpers.push_back(std::make_unique<Thread>([zero_part, index] { zero_part(index); }));
    }
    catch (const std::exception&) {
        // The system refuses a thread: this one does the rest.
    }
    for (; index < wanted; ++index)
        zero_part(index);
}

std::optional<std::uint64_t> available_memory() {
    return bytes_available();
}

std::optional<bool> may_use_huge_pages() {
    return huge_pages_allowed();
}

}  // namespace engine
