#include "uci/store/wal_checkpointer.hpp"

#include <sqlite3.h>

namespace uci::store {

WalCheckpointer::~WalCheckpointer() {
    if (thread_.joinable())
        thread_.join();
}

void WalCheckpointer::start() {
    if (busy_.exchange(true, std::memory_order_relaxed))
        return;
    if (thread_.joinable())
        thread_.join();
    thread_ = std::thread{[this] {
        run();
        busy_.store(false, std::memory_order_relaxed);
    }};
}

// A failure does no harm: readers use the log as well as the file, and the next start tries again.
void WalCheckpointer::run() {
    if (!database_)
        database_ = open_sqlite(path_, "PRAGMA synchronous = NORMAL").first;
    if (database_)
        sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                                  nullptr);
}

}  // namespace uci::store
