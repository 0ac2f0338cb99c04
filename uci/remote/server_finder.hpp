#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

#include "uci/remote/server_link.hpp"
#include "uci/util/secure_random.hpp"

namespace uci::remote {

struct ServerAddress {
    std::string host;
    std::string port;
    std::string text() const;
};

/// Reads "HOST", "HOST:PORT" or "[::1]:PORT", several with commas between them.
core::Result<std::vector<ServerAddress>> read_server_addresses(std::string_view list);

/// Keeps a connection to one of several servers: after a failure it tries the next one, and waits
/// longer and longer after each round. Belongs to the thread of its io_context.
class ServerFinder {
public:
    using Milliseconds = ServerLink::Milliseconds;

    struct Events {
        std::function<std::vector<std::string>()> settings;
        std::function<void(const std::string& host, Milliseconds lag)> on_ready;
        std::function<void(std::string_view line)> on_line;
        std::function<void(const std::string& reason)> on_lost;  ///< after on_ready
        std::function<void(const std::string& host, const std::string& reason)> on_missed;
        std::function<bool()> is_wanted;  ///< whether a connection is needed now or soon
    };

    /// The io_context is shared, because a look-up of a host name cannot be ended.
    ServerFinder(std::shared_ptr<boost::asio::io_context> io,
                 std::vector<ServerAddress> servers,
                 std::string token,
                 Events events);

    /// Connects if there is no connection. In a hurry without waiting after the last failure.
    void find(bool in_a_hurry);
    /// Says a line to the server; nothing happens without a connection.
    void say(std::string_view line);
    /// Ends the connection and looks for another one. A server that lies is not asked for a while.
    void cut(bool lies);
    /// Ends the connection for good, after what has been said to it is sent.
    void close();

private:
    enum class State : unsigned char { resting, looking, ready, closed };
    using Endpoints = core::Result<std::vector<boost::asio::ip::tcp::endpoint>>;

    void look_up();
    void connect(const Endpoints& endpoints);
    void fail(const ServerLink::End& end);
    void retry_after(Milliseconds delay);
    const ServerAddress& server() const { return servers_[current_]; }

    std::shared_ptr<boost::asio::io_context> io_;
    std::vector<ServerAddress> servers_;
    std::string token_;
    util::SecureRandom random_;
    std::string session_key_;  ///< by which the server knows this program again
    Events events_;
    State state_ = State::resting;
    std::size_t current_ = 0;
    std::size_t failures_ = 0;  ///< since the last connection
    std::shared_ptr<ServerLink> link_;
    boost::asio::steady_timer timer_;
    bool is_penalty_ = false;                                ///< the wait may not be cut short
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);  ///< look-ups may outlive this
};

}  // namespace uci::remote
