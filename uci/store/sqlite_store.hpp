#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "uci/store/store.hpp"

namespace uci::store {

/// A store in one file, by SQLite. What was stored is there after the process was killed; after a
/// power failure the last moments may be missing, but nothing is damaged.
class SqliteStore : public Store {
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    explicit SqliteStore(std::string path, Clock clock = std::chrono::system_clock::now);
    ~SqliteStore() override;
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;
    SqliteStore(SqliteStore&&) = delete;
    SqliteStore& operator=(SqliteStore&&) = delete;

    /// Opens the file, and makes it when it is not there; or says why that cannot be. Needed only
    /// by those who want to know at once.
    std::optional<core::Error> open();

    core::Result<std::optional<std::string>> find_game(chezz::GameId id) override;
    core::Result<bool> add_game(chezz::GameId id, const std::string& record) override;
    core::Result<bool> replace_game(chezz::GameId id,
                                    const std::string& before,
                                    const std::string& after) override;
    core::Result<std::optional<std::string>> find_session(const std::string& id) override;
    core::Result<bool> add_session(const std::string& id, const std::string& record) override;
    void clear_away() override;

private:
    class Connection;

    std::optional<core::Error> reach();
    core::Error failure();
    std::int64_t hours(std::chrono::hours from_now) const;

    std::string path_;
    Clock clock_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace uci::store
