#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/result.hpp"

#include "uci/json/web/room_store.hpp"
#include "uci/store/async_store.hpp"
#include "uci/store/store_config.hpp"

namespace uci::json::web {

/// The rooms of `parley serve` in a store: documents by the id of their game.
class StoredRooms : public RoomStore {
public:
    explicit StoredRooms(store::AsyncStore& store);

    const std::string& server() const override { return server_; }
    void save(RoomSave save, OnDone callback) override;
    void find(const std::string& id, OnFound callback) override;
    void remove(const std::string& id, OnDone callback) override;
    void check_server(const std::string& name, OnDone callback) override;
    std::optional<std::chrono::milliseconds> shared_time() const override;
    /// Tells the other processes that share the store that this one runs; to be called once a
    /// second.
    void renew_lease();
    /// Tells them that it ends.
    void end_lease();
    /// Has the store do what is due once a second.
    void maintain();
    /// Asks whether the store answers, and whether it took the last change. Error: why not.
    void check(std::function<void(std::optional<core::Error>)> callback);

private:
    /// The shared time at a point of this process's time.
    struct SharedTime {
        std::chrono::milliseconds time;
        std::chrono::steady_clock::time_point at;

        std::chrono::milliseconds now() const;
    };

    store::AsyncStore& store_;
    std::string server_;
    std::optional<SharedTime> shared_time_;
    bool is_ending_ = false;
};

/// Where `parley serve` keeps its games.
struct OpenedStore {
    std::unique_ptr<store::Store> store;  ///< none: in memory
    std::string description;              ///< for the log
    /// Where other servers publish their changes of games; only for Redis.
    std::optional<store::RedisConfig> redis{};
};

/// Opens the store that the option --store names: "redis", "memory" or a file. Without it a file in
/// the user's folder, or memory with a warning if that is impossible. Error: why what was
/// named cannot be used.
core::Result<OpenedStore> open_store(const std::string& option);

/// The description of the option --store for the help.
std::string store_help();

}  // namespace uci::json::web
