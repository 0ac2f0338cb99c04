#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "uci/chezz/identity.hpp"
#include "uci/chezz/settings.hpp"

struct redisReader;

namespace uci::net {

/// Listens to which games other processes change in the same Redis. A connection that is lost or
/// silent is made anew. Belongs to the thread of its io_context.
class RedisNews {
public:
    /// Called for each game that another process has changed.
    using Changed = std::function<void(chezz::GameId)>;
    /// Called when anything may have changed, since nobody was listening for a while.
    using Missed = std::function<void()>;

    /// Changes that are signed with `own_name` are this process's own.
    RedisNews(boost::asio::io_context& io,
              chezz::RedisPlace place,
              std::string own_name,
              Changed changed,
              Missed missed);
    ~RedisNews();
    RedisNews(const RedisNews&) = delete;
    RedisNews& operator=(const RedisNews&) = delete;
    RedisNews(RedisNews&&) = delete;
    RedisNews& operator=(RedisNews&&) = delete;

    void start() { connect(); }
    /// Listens no more.
    void close();

private:
    struct FreeReader {
        void operator()(redisReader* reader) const;
    };

    void connect();
    void subscribe();
    void say(const std::vector<std::string>& words);
    void read();
    bool take_replies();
    void take_change(const std::string& signed_number);
    void watch();
    void lose();

    chezz::RedisPlace place_;
    std::string own_name_;
    Changed changed_;
    Missed missed_;
    boost::asio::ip::tcp::resolver resolver_;
    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
    std::unique_ptr<redisReader, FreeReader> reader_;
    std::array<char, 4'096> chunk_{};
    std::string said_;
    bool saying_ = false;
    bool heard_ = false;  ///< since it was last asked for a sign of life
    bool closed_ = false;
};

}  // namespace uci::net
