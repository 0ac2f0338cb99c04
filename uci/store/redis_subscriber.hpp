#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "uci/store/redis_tls.hpp"
#include "uci/store/store_config.hpp"
#include "uci/util/log_throttle.hpp"

struct redisReader;

namespace uci::store {

/// Subscribes to the changes that other processes make in the same Redis. Reconnects when the
/// connection is lost or silent. Belongs to the thread of its io_context.
class RedisSubscriber {
public:
    struct Handlers {
        /// Another process has changed the game or document of this id.
        std::function<void(const std::string& id)> on_message;
        /// Called after each (re)connect: messages may have been missed, so any of them may
        /// have changed.
        std::function<void()> on_resync;
    };

    /// Changes published by `config.sender` are this process's own and are ignored.
    RedisSubscriber(boost::asio::io_context& io, const RedisConfig& config, Handlers handlers);
    ~RedisSubscriber();
    RedisSubscriber(const RedisSubscriber&) = delete;
    RedisSubscriber& operator=(const RedisSubscriber&) = delete;
    RedisSubscriber(RedisSubscriber&&) = delete;
    RedisSubscriber& operator=(RedisSubscriber&&) = delete;

    void start() { connect(); }
    /// Unsubscribes for good.
    void close();

private:
    struct FreeReader {
        void operator()(redisReader* reader) const;
    };

    void connect();
    void start_tls();
    void shake_hands();
    void subscribe();
    void send(const std::vector<std::vector<std::string>>& commands);
    void read();
    void write_over_tls();
    void read_over_tls();
    void when_ready(RedisTls::State state, void (RedisSubscriber::*next)());
    bool handle_bytes(std::size_t size);
    bool handle_replies();
    void log_refusal(std::string_view reason);
    void handle_change(const std::string& message);
    void start_keepalive();
    void reconnect();

    RedisAddress address_;
    std::string own_name_;
    Handlers handlers_;
    boost::asio::ip::tcp::resolver resolver_;
    boost::asio::ip::tcp::socket socket_;
    std::unique_ptr<RedisTls> tls_;  ///< on the socket
    boost::asio::steady_timer timer_;
    std::unique_ptr<redisReader, FreeReader> reader_;
    util::LogThrottle refusals_{std::chrono::minutes{10}};
    std::array<char, 4'096> chunk_{};
    std::string sent_;
    std::size_t sent_size_ = 0;  ///< how much of it has gone out over TLS
    bool sending_ = false;
    bool received_ = false;  ///< something, since the last ping
    bool closed_ = false;
};

}  // namespace uci::store
