#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "uci/store/redis_host_lookup.hpp"
#include "uci/store/store.hpp"
#include "uci/store/store_config.hpp"

struct redisContext;
struct redisReply;

namespace uci::store {

/// Keeps records in Redis, which several processes may share. There is no limit to their number but
/// Redis's own. Every replaced game is published as
/// "SENDER NUMBER" on channel_of(). A Redis that does not answer delays a call by 1.5 seconds at most,
/// plus one second each to find and to reach it, and the calls of the next half second not at all.
class RedisStore : public Store {
public:
    using Clock = std::chrono::steady_clock;

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
    /// Redis expires keys by itself; this only notices a lost connection.
    void remove_expired() override;

private:
    struct Disconnect {
        void operator()(redisContext* context) const;
    };
    using Reply = std::shared_ptr<redisReply>;

    std::optional<core::Error> ensure_open();
    std::optional<core::Error> connect();
    std::optional<core::Error> log_in();
    core::Error connection_failure();
    std::string latest_time() const;
    core::Result<Reply> send(const std::vector<std::string>& arguments);
    bool is_stale() const;
    core::Result<Reply> command(const std::vector<std::string>& arguments);
    core::Result<std::optional<std::string>> get(const std::string& key);
    core::Result<bool> add(const std::string& key,
                           const std::string& record,
                           std::chrono::seconds ttl);
    std::string key_of_game(std::int64_t id) const;
    std::string key_of_session(const std::string& id) const;
    std::string key_of_document(const std::string& id) const;

    RedisConfig config_;
    RedisHostLookup host_lookup_;
    std::unique_ptr<redisContext, Disconnect> context_;
    /// Redis's clock minus this machine's.
    std::chrono::milliseconds clock_offset_{0};
    Clock::time_point next_attempt_;
    std::string last_failure_;
};

/// The channel on which changed games are published.
std::string channel_of(const RedisAddress& address);
/// The AUTH command for a connection; empty without a password.
std::vector<std::string> login_command(const RedisAddress& address);

}  // namespace uci::store
