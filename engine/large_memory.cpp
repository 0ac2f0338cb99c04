#include "engine/large_memory.hpp"

#include <utility>

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

void release(void* data, std::size_t /*bytes*/) {
    VirtualFree(data, 0, MEM_RELEASE);
}

#else

void* allocate(std::size_t bytes) {
    void* const data =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return nullptr;
#if defined(MADV_HUGEPAGE)
    madvise(data, bytes, MADV_HUGEPAGE);  // a hint: failure does no harm
#endif
    return data;
}

std::optional<bool> huge_pages_allowed() {
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

std::optional<bool> may_use_huge_pages() {
    return huge_pages_allowed();
}

}  // namespace engine
