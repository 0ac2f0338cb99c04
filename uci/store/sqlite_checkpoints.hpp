#pragma once

#include <atomic>
#include <string>

#include "engine/tasking.hpp"

#include "uci/store/sqlite_database.hpp"

namespace uci::store {

/// Copies SQLite's log into its file, in a thread of its own: that waits for the disk, and those
/// who write need not.
class SqliteCheckpoints {
public:
    explicit SqliteCheckpoints(std::string path) : path_{std::move(path)} {}

    /// Begins to copy what the log has now, unless the last copy is still under way.
    void begin();

private:
    void copy();

    std::string path_;
    SqliteDatabase database_;  ///< only for the task
    /// What the task has done is seen through its own waiting; this only says that it is over.
    std::atomic<bool> busy_{false};
    engine::Task task_;
};

}  // namespace uci::store
