#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "uci/chezz/settings.hpp"
#include "uci/store/store.hpp"

struct redisContext;
struct redisReply;

namespace uci::store {

/// A store in Redis, which several processes may use at a time, chezz-back among them: its keys,
/// its records, its expiry. Each game that changes is named on a channel.
class RedisStore : public Store {
public:
    using Clock = std::chrono::steady_clock;

    /// What it publishes is signed with the sender's name.
    RedisStore(chezz::RedisPlace place, std::string sender);
    ~RedisStore() override;
    RedisStore(const RedisStore&) = delete;
    RedisStore& operator=(const RedisStore&) = delete;
    RedisStore(RedisStore&&) = delete;
    RedisStore& operator=(RedisStore&&) = delete;

    core::Result<std::optional<std::string>> find_game(chezz::GameId id) override;
    core::Result<bool> add_game(chezz::GameId id, const std::string& record) override;
    core::Result<bool> replace_game(chezz::GameId id,
                                    const std::string& before,
                                    const std::string& after) override;
    core::Result<std::optional<std::string>> find_session(const std::string& id) override;
    core::Result<bool> add_session(const std::string& id, const std::string& record) override;
    /// Redis does that itself; this only notices a connection that was lost.
    void clear_away() override;

private:
    struct Disconnect {
        void operator()(redisContext* context) const;
    };
    using Reply = std::shared_ptr<redisReply>;

    std::optional<core::Error> connect();
    bool is_stale() const;
    core::Result<Reply> ask(const std::vector<std::string>& words);
    core::Result<std::optional<std::string>> get(const std::string& key);
    core::Result<bool> add(const std::string& key,
                           const std::string& record,
                           std::chrono::seconds life);

    chezz::RedisPlace place_;
    std::string sender_;
    std::unique_ptr<redisContext, Disconnect> context_;
    Clock::time_point next_attempt_;
    std::string last_failure_;
};

/// The channel on which changed games are named, as "SENDER NUMBER".
std::string channel_of(const chezz::RedisPlace& place);

}  // namespace uci::store
