#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "uci/store/store.hpp"
#include "uci/store/store_config.hpp"

namespace uci::store {

/// Keeps records until the program ends. When it is full, the record that would expire first is
/// removed.
class MemoryStore : public Store {
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;

    explicit MemoryStore(MemoryConfig config, Clock clock = std::chrono::system_clock::now);

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
    void remove_expired() override;

private:
    using Time = std::chrono::system_clock::time_point;

    /// Records and their order of expiry.
    template <typename Key>
    class Table {
    public:
        /// The record; null if there is none, or if it expired before `now`.
        std::string* find(const Key& key, Time now);
        /// False if the key is taken.
        bool add(const Key& key, const std::string& record, Time until, std::int64_t capacity);
        void renew(const Key& key, Time until);
        bool remove(const Key& key);
        void remove_expired(Time now);

    private:
        struct Entry {
            std::string record;
            Time until;
        };
        void remove_first();

        std::map<Key, Entry> entries_;
        std::set<std::pair<Time, Key>> order_;
    };

    MemoryConfig config_;
    Clock clock_;
    Table<std::int64_t> games_;
    Table<std::string> sessions_;
    Table<std::string> documents_;
};

}  // namespace uci::store
