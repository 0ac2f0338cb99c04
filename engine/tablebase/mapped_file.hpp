#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/result.hpp"

// Everything of the tablebases that depends on the operating system is in mapped_file.cpp.
namespace engine::tablebase {

/// A file mapped into memory, read-only, for access at random. Any thread may read it.
///
/// Where a page cannot be read (a disk error, a file that was truncated after it was opened), this
/// page, on Windows the whole file, reads as zeros, and has_failed() is true from then on.
class MappedFile {
public:
    /// Error: why the file cannot be opened or mapped.
    static core::Result<MappedFile> open(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;

    std::span<const std::uint8_t> bytes() const { return bytes_; }
    /// Whether a page could not be read: what has been read may be wrong.
    bool has_failed() const;

private:
    struct Region;

    MappedFile(std::span<const std::uint8_t> bytes, Region* region)
        : bytes_{bytes},
          region_{region} {}

    std::span<const std::uint8_t> bytes_;
    Region* region_ = nullptr;  ///< where the handler of read errors notes them
};

}  // namespace engine::tablebase
