#include "engine/datagen/folder_lock.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

// The one place that knows how a system locks a file.
#if defined(_WIN32)
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

#include "core/paths.hpp"

namespace engine::datagen {

namespace {

constexpr std::intptr_t closed = -1;

core::Error in_use(const std::filesystem::path& folder) {
    return core::Error{core::utf8_text(folder) + " is in use by another run of datagen"};
}

core::Error cannot_open(const std::filesystem::path& path, int error) {
    return core::Error{core::utf8_text(path)
                       + " cannot be opened: " + std::system_category().message(error)};
}

}  // namespace

#if defined(_WIN32)

core::Result<FolderLock> FolderLock::acquire(const std::filesystem::path& folder) {
    const auto path = folder / "lock";
    // Opened without sharing: a second open fails while the first handle lives.
    const HANDLE handle = CreateFileW(path.c_str(), GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS,
                                      FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle != INVALID_HANDLE_VALUE)
        return FolderLock{reinterpret_cast<std::intptr_t>(handle)};
    const auto error = GetLastError();
    if (error == ERROR_SHARING_VIOLATION)
        return in_use(folder);
    return cannot_open(path, static_cast<int>(error));
}

FolderLock::~FolderLock() {
    if (handle_ != closed)
        CloseHandle(reinterpret_cast<HANDLE>(handle_));
}

#else

core::Result<FolderLock> FolderLock::acquire(const std::filesystem::path& folder) {
    const auto path = folder / "lock";
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0)
        return cannot_open(path, errno);
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        return FolderLock{descriptor};
    const int error = errno;
    close(descriptor);
    if (error == EWOULDBLOCK)
        return in_use(folder);
    return cannot_open(path, error);
}

FolderLock::~FolderLock() {
    if (handle_ != closed)
        close(static_cast<int>(handle_));
}

#endif

FolderLock::FolderLock(FolderLock&& other) noexcept
    : handle_{std::exchange(other.handle_, closed)} {}

}  // namespace engine::datagen
