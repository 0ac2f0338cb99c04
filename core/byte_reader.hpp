#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace core {

/// Reads little-endian numbers from bytes, one after the other. Reading beyond the end gives zeros
/// and is noted, so that a caller can read a whole header and check once.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_{bytes} {}

    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint64_t u64() { return number(8); }
    /// The next bytes; at the end fewer than `count`.
    std::span<const std::byte> bytes(std::uint64_t count) {
        const auto begin = std::min<std::uint64_t>(at_, bytes_.size());
        const auto end = std::min<std::uint64_t>(count, bytes_.size() - begin);
        at_ += count;
        return bytes_.subspan(begin, end);
    }
    void skip(std::uint64_t count) { at_ += count; }
    /// Skips to a multiple of `alignment`, counted from the start of the bytes.
    void align(std::uint64_t alignment) { at_ = (at_ + alignment - 1) / alignment * alignment; }

    std::uint64_t offset() const { return at_; }
    /// Whether everything read or skipped so far lies within the bytes.
    bool is_inside() const { return at_ <= bytes_.size(); }

private:
    std::uint64_t number(std::uint64_t size) {
        const std::uint64_t left = bytes_.size() - std::min<std::uint64_t>(at_, bytes_.size());
        const std::uint64_t count = std::min(size, left);
        std::uint64_t value = 0;
        for (std::uint64_t i = 0; i < count; ++i)
            value |= std::to_integer<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
        at_ += size;
        return value;
    }

    std::span<const std::byte> bytes_;
    std::uint64_t at_ = 0;
};

}  // namespace core
