#pragma once

#include <memory>
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
    /// Has the store remove what has expired; to be called once a second.
    void remove_expired();
    /// Asks whether the store answers.
    void check(std::function<void(std::optional<core::Error>)> callback);

private:
    store::AsyncStore& store_;
    std::string server_;
};

/// Where `parley serve` keeps its games.
struct OpenedStore {
    std::unique_ptr<store::Store> store;  ///< none: in memory
    std::string description;              ///< for the log
};

/// Opens the store that the option --store names: "redis", "memory" or a file. Without it a file in
/// the user's folder, or memory with a warning if that is impossible. Error: why what was
/// named cannot be used.
core::Result<OpenedStore> open_store(const std::string& option);

/// The description of the option --store for the help.
std::string store_help();

}  // namespace uci::json::web
