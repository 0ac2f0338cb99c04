#include "uci/store/sqlite_checkpoints.hpp"

#include <sqlite3.h>

namespace uci::store {

void SqliteCheckpoints::begin() {
    if (busy_.exchange(true, std::memory_order_relaxed))
        return;
    task_.wait();
    task_.start([this] {
        copy();
        busy_.store(false, std::memory_order_relaxed);
    });
}

/// A failure does not matter: the log is as good as the file, and is copied another time.
void SqliteCheckpoints::copy() {
    if (!database_)
        database_ = open_sqlite(path_, "PRAGMA synchronous = NORMAL").first;
    if (database_)
        sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                                  nullptr);
}

}  // namespace uci::store
