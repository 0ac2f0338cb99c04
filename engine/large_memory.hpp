#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace engine {

/// A large block of zeroed memory, in huge pages where the system has them. The system allocates
/// the pages when they are first written.
class LargeMemory {
public:
    LargeMemory() = default;
    /// Empty if there is not enough memory.
    explicit LargeMemory(std::size_t bytes);
    ~LargeMemory();
    LargeMemory(const LargeMemory&) = delete;
    LargeMemory& operator=(const LargeMemory&) = delete;
    LargeMemory(LargeMemory&& other) noexcept;
    LargeMemory& operator=(LargeMemory&& other) noexcept;

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

    /// Zeroes all of it, with up to that many threads. As every page is written, the system
    /// allocates them now and not in the middle of a search.
    void zero(int threads);

private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// How many bytes can be written without taking memory from other programs. Nothing where the
/// system does not tell.
std::optional<std::uint64_t> available_memory();

/// Whether this account may have huge pages. Nothing where the system decides that for each block
/// of memory.
std::optional<bool> may_use_huge_pages();

}  // namespace engine
