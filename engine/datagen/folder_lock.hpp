#pragma once

#include <cstdint>
#include <filesystem>

#include "core/result.hpp"

namespace engine::datagen {

/// Holds a folder for one process: while the object lives, no other process gets a lock of the
/// same folder. The system releases the lock when the process ends, however it ends.
class FolderLock {
public:
    /// Locks an existing folder through its file `lock`. Error: somebody else holds the lock, or
    /// the file cannot be opened.
    static core::Result<FolderLock> acquire(const std::filesystem::path& folder);

    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;

private:
    explicit FolderLock(std::intptr_t handle) : handle_{handle} {}

    std::intptr_t handle_;  ///< a file descriptor, or a Windows HANDLE
};

}  // namespace engine::datagen
