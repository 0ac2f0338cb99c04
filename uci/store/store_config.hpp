#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "uci/store/tls_settings.hpp"

namespace uci::store {

/// How long a store keeps a record after its last use.
struct Retention {
    std::chrono::hours new_game{7 * 24};  ///< a game whose record was never replaced
    std::chrono::hours game{30 * 24};
    std::chrono::hours new_session{7 * 24};  ///< a session that was never read
    std::chrono::hours session{30 * 24};
    std::chrono::hours document{24};
};

/// How many records a store holds. When it is full, the record that would expire first is removed.
struct Capacity {
    std::int64_t games = 1'000'000;
    std::int64_t sessions = 1'000'000;
    std::int64_t documents = 100'000;
};

struct SqliteConfig {
    std::string path;
    Retention retention;
    Capacity capacity;
};

struct MemoryConfig {
    Retention retention;
    Capacity capacity;
};

/// Where Redis listens, as whom to log in, and the prefix of all keys and channels.
struct RedisAddress {
    std::string host = "localhost";
    int port = 6'379;
    std::string prefix{};
    std::string user{};      ///< empty: Redis's default user
    std::string password{};  ///< empty: no login
    int database = 0;
    std::optional<TlsSettings> tls{};  ///< nothing: without TLS
};

struct RedisConfig {
    RedisAddress address;
    Retention retention;
    /// Keys behind the prefix. Programs that share a Redis must agree on them.
    std::function<std::string(std::int64_t)> game_key;
    std::function<std::string(const std::string&)> session_key;
    /// The name under which this process publishes its changes.
    std::string sender;
    std::function<std::string(const std::string&)> document_key{};  ///< as the other two keys
    std::function<std::string(const std::string&)> lease_key{};     ///< likewise
    std::int64_t max_documents = Capacity{}.documents;  ///< of all processes that share the Redis
};

enum class Backend : std::uint8_t { sqlite, redis, memory };

/// Which store to open, and how.
struct StoreConfig {
    Backend backend = Backend::sqlite;
    SqliteConfig sqlite;
    RedisConfig redis;
    MemoryConfig memory;
};

}  // namespace uci::store
