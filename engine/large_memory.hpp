#pragma once

#include <cstddef>

namespace engine {

/// A large block of zeroed memory, in huge pages where the system has them. The pages are
/// handed out by the system when they are first touched.
class LargeMemory {
public:
    LargeMemory() = default;
    /// Empty when the system does not give that much.
    explicit LargeMemory(std::size_t bytes);
    ~LargeMemory();
    LargeMemory(const LargeMemory&) = delete;
    LargeMemory& operator=(const LargeMemory&) = delete;
    LargeMemory(LargeMemory&& other) noexcept;
    LargeMemory& operator=(LargeMemory&& other) noexcept;

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace engine
