#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "uci/chezz/limits.hpp"
#include "uci/store/store.hpp"

namespace uci::store {

/// A store in one file, by SQLite. What was stored is there after the process was killed; after a
/// power failure the last moments may be missing, but nothing is damaged.
class SqliteStore : public Store {
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    /// How many games and sessions there may be. When there are as many, the one goes that would
    /// expire first.
    struct Capacity {
        std::int64_t games;
        std::int64_t sessions;
    };

    explicit SqliteStore(std::string path,
                         Clock clock = std::chrono::system_clock::now,
                         Capacity capacity = {chezz::Limits::games_in_file,
                                              chezz::Limits::sessions_in_file});
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
    Capacity capacity_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace uci::store
