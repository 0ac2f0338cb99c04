#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "uci/store/redis_connection.hpp"
#include "uci/store/store.hpp"
#include "uci/store/store_config.hpp"

namespace uci::store {

/// Keeps records in Redis, which several processes may share. The number of documents of all of
/// them is limited; there is no limit to games and sessions but Redis's own. Every replaced game,
/// every stored document and every one that remove_document() removes is published as "SENDER ID"
/// on channel_of(). A Redis that does not answer delays a call by 1.5 seconds at most, plus one
/// second each to find and to reach it, never beyond the deadline, and the calls of the next half
/// second not at all.
class RedisStore : public Store {
public:
    explicit RedisStore(RedisConfig config);
    ~RedisStore() override;
    RedisStore(const RedisStore&) = delete;
    RedisStore& operator=(const RedisStore&) = delete;
    RedisStore(RedisStore&&) = delete;
    RedisStore& operator=(RedisStore&&) = delete;

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
    void set_deadline(std::chrono::steady_clock::time_point deadline) override;
    core::Result<std::optional<std::chrono::milliseconds>> renew_lease(const Lease& lease) override;
    core::Result<bool> end_lease(const std::string& name) override;
    core::Result<bool> has_lease(const std::string& name) override;
    /// Sets a key and deletes it.
    core::Result<bool> try_change() override;
    /// Redis expires keys by itself; this only notices a lost connection and follows Redis's clock.
    void remove_expired() override;

private:
    core::Result<bool> change(const char* script,
                              const std::vector<std::string>& keys,
                              const std::vector<std::string>& arguments);
    core::Result<RedisReply> write(const RedisCommand& command);
    core::Result<std::optional<std::string>> get(const std::string& key);
    core::Result<bool> add(const std::string& key,
                           const std::string& record,
                           std::chrono::seconds ttl);
    std::string key_of_game(std::int64_t id) const;
    std::string key_of_session(const std::string& id) const;
    std::string key_of_document(const std::string& id) const;
    std::string key_of_index() const;
    std::string key_of_lease(const std::string& name) const;

    RedisConfig config_;
    RedisConnection connection_;
};

/// The channel on which changed games and documents are published.
std::string channel_of(const RedisAddress& address);

}  // namespace uci::store
