#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "uci/store/redis_host_lookup.hpp"
#include "uci/store/redis_tls.hpp"
#include "uci/store/store_config.hpp"

struct redisContext;
struct redisReply;

namespace uci::store {

using RedisReply = std::shared_ptr<redisReply>;
using RedisCommand = std::vector<std::string>;

/// The times after which a Redis that does not answer is given up.
struct RedisTimeouts {
    std::chrono::milliseconds lookup{1'000};
    std::chrono::milliseconds connect{1'000};
    std::chrono::milliseconds reply{1'500};
    /// After a failure to connect, and after a reply that did not come, all calls in this time fail
    /// at once.
    std::chrono::milliseconds pause{500};
};

/// A connection to Redis, with TLS if the address says so, that opens when it is needed, logs in,
/// and opens again after a failure. Every call ends in limited time. Belongs to one thread.
class RedisConnection {
public:
    using Clock = std::chrono::steady_clock;

    explicit RedisConnection(RedisAddress address, RedisTimeouts timeouts = {});
    ~RedisConnection();
    RedisConnection(const RedisConnection&) = delete;
    RedisConnection& operator=(const RedisConnection&) = delete;
    RedisConnection(RedisConnection&&) = delete;
    RedisConnection& operator=(RedisConnection&&) = delete;

    /// Connects and logs in, if that is needed, and reads Redis's clock, at most twice a second.
    /// Error: why not.
    std::optional<core::Error> ensure_open();
    /// Whether there was a connection after the last call: then an Error was Redis's reply to a
    /// command.
    bool is_open() const { return context_ != nullptr; }
    void close();

    /// When the caller of the next functions gives up: they end by then, or as the timeouts say if
    /// that is earlier.
    void set_deadline(Clock::time_point deadline) { deadline_ = deadline; }
    /// How long a command that is sent now waits for its reply.
    std::chrono::milliseconds reply_time() const { return remaining(timeouts_.reply); }

    /// Sends a command and waits for its reply; opens the connection before. A reply that reports
    /// an error is an Error.
    core::Result<RedisReply> command(const RedisCommand& arguments);
    /// Sends commands together and waits for all replies. The first reply that reports an error is
    /// an Error.
    core::Result<std::vector<RedisReply>> pipeline(const std::vector<RedisCommand>& commands);

    /// What time it is on Redis's clock: milliseconds since 1970. The connection has been open.
    std::chrono::milliseconds server_time() const;

private:
    struct Disconnect {
        void operator()(redisContext* context) const;
    };

    std::optional<core::Error> connect();
    std::optional<core::Error> start_tls(Clock::time_point latest);
    std::optional<core::Error> log_in();
    std::optional<core::Error> refresh_clock();
    std::optional<core::Error> read_clock();
    std::chrono::milliseconds remaining(std::chrono::milliseconds timeout) const;
    void limit_reply_time();
    bool is_stale() const;
    core::Error connection_failure();
    core::Error lost(core::Error error);
    core::Error no_answer();
    core::Result<RedisReply> send(const RedisCommand& arguments);
    core::Result<RedisReply> next_reply();
    core::Result<RedisReply> next_reply_over_tls();
    core::Result<RedisTls::State> exchange_over_tls();
    void append(const RedisCommand& arguments);

    RedisAddress address_;
    RedisTimeouts timeouts_;
    RedisHostLookup host_lookup_;
    std::unique_ptr<redisContext, Disconnect> context_;
    std::unique_ptr<RedisTls>
        tls_;               ///< on the socket of context_, of which then only the reader is used
    std::string unsent_;    ///< commands that next_reply() sends over TLS
    std::size_t sent_ = 0;  ///< bytes of them
    std::chrono::milliseconds clock_offset_{0};  ///< Redis's clock minus this machine's
    Clock::time_point next_clock_reading_;
    Clock::time_point next_attempt_;
    Clock::time_point deadline_ = Clock::time_point::max();
    std::string last_failure_;
};

/// The AUTH command for a connection; empty without a password.
RedisCommand login_command(const RedisAddress& address);

/// The text of a reply or of an element; empty if it is none.
std::string_view text_of(const redisReply& reply);

}  // namespace uci::store
