#include "engine/large_memory.hpp"

#include <utility>

// Allocates memory in pages; each system has its own functions for that.
#if defined(_WIN32)
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace engine {

namespace {

#if defined(_WIN32)

void* allocate(std::size_t bytes) {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
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

}  // namespace engine
