#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "uci/store/sqlite_database.hpp"

namespace uci::store {

/// Copies SQLite's write-ahead log into the database file in a thread of its own, so that writers
/// do not wait for the disk. start() belongs to one thread.
class WalCheckpointer {
public:
    explicit WalCheckpointer(std::string path) : path_{std::move(path)} {}
    /// Waits for a running checkpoint.
    ~WalCheckpointer();
    WalCheckpointer(const WalCheckpointer&) = delete;
    WalCheckpointer& operator=(const WalCheckpointer&) = delete;
    WalCheckpointer(WalCheckpointer&&) = delete;
    WalCheckpointer& operator=(WalCheckpointer&&) = delete;

    /// Starts a checkpoint unless the last one is still running.
    void start();

private:
    void run();

    std::string path_;
    SqliteDatabase database_;  ///< used only by the checkpoint's thread
    /// Relaxed: it only says that the thread is about to end. Joining the thread makes what it did
    /// visible.
    std::atomic<bool> busy_{false};
    std::thread thread_;
};

}  // namespace uci::store
