#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "uci/store/store.hpp"
#include "uci/store/store_config.hpp"

struct sqlite3;

namespace uci::store {

class SqliteStatement;

/// Keeps records in one SQLite file. Committed records survive a killed process and a power
/// failure, as far as the disk keeps what it reports as written.
class SqliteStore : public Store {
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    explicit SqliteStore(SqliteConfig config, Clock clock = std::chrono::system_clock::now);
    ~SqliteStore() override;
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;
    SqliteStore(SqliteStore&&) = delete;
    SqliteStore& operator=(SqliteStore&&) = delete;

    /// Opens the file, creating it if needed. Returns why that failed, if so. Optional: the other
    /// functions open it as well.
    std::optional<core::Error> open();

    core::Result<std::optional<std::string>> find_game(std::int64_t id) override;
    core::Result<bool> add_game(std::int64_t id, const std::string& record) override;
    core::Result<bool> replace_game(std::int64_t id,
                                    const std::string& before,
                                    const std::string& after) override;
    core::Result<bool> remove_game(std::int64_t id) override;
    core::Result<std::optional<std::string>> find_session(const std::string& id) override;
    core::Result<bool> add_session(const std::string& id, const std::string& record) override;
    core::Result<std::optional<std::string>> find_document(const std::string& id) override;
    core::Result<bool> put_document(const std::string& id,
                                    const std::optional<std::string>& before,
                                    const std::string& after) override;
    core::Result<bool> remove_document(const std::string& id) override;
    /// Limits how long a call waits for other processes that use the file.
    void set_deadline(std::chrono::steady_clock::time_point deadline) override;
    std::size_t max_batch() const override { return 256; }
    void begin_batch() override;
    std::optional<core::Error> commit_batch() override;
    /// Removes nothing while another process has the lock for writing.
    void remove_expired() override;
    /// Writes the version of the file again, if another process does not have the lock for writing.
    core::Result<bool> try_change() override;

private:
    class Connection;

    std::optional<core::Error> ensure_open();
    std::optional<core::Error> ensure_writable();
    void limit_wait(sqlite3* database) const;
    core::Result<std::optional<std::string>> find_record(SqliteStatement& query);
    core::Result<bool> change(SqliteStatement& statement);
    core::Result<bool> add_document(const std::string& id, const std::string& record);
    core::Result<bool> renew_session(const std::string& id);
    template <typename Write>
    auto without_waiting(const Write& write);
    core::Error failure();
    std::int64_t now() const;
    std::int64_t expiry(std::chrono::hours ttl) const;

    SqliteConfig config_;
    Clock clock_;
    std::unique_ptr<Connection> connection_;
    std::optional<std::chrono::steady_clock::time_point> deadline_;
    bool waits_ = true;  ///< for the locks of other processes
    bool in_batch_ = false;
    bool in_transaction_ = false;             ///< of the batch; begun by its first write
    std::optional<core::Error> batch_error_;  ///< its writes were rolled back
};

}  // namespace uci::store
