#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace uci::net {

/// Checks a list of IP addresses, separated by commas; it may be empty. Error: the first entry that
/// is no address.
std::optional<core::Error> check_addresses(const std::string& list);

/// Accepts TCP connections on one or several addresses. Belongs to the thread of its io_context.
class Listener {
public:
    /// Receives each accepted connection.
    using OnAccept = std::function<void(boost::asio::ip::tcp::socket)>;
    /// Closes an idle connection to free a file descriptor. False when there is none.
    using EvictIdle = std::function<bool()>;

    Listener(boost::asio::io_context& io, OnAccept on_accept, EvictIdle evict_idle = nullptr);

    /// Listens on one port of all addresses in a list such as "127.0.0.1,::1"; port 0 stands for a
    /// free one. An empty list means this machine only: both of these addresses, the second only if
    /// there is IPv6. Error: which address failed and why; then it listens on none.
    std::optional<core::Error> listen(const std::string& addresses, unsigned short port);
    /// Whether only this machine can reach it.
    bool is_local_only() const;
    /// Where it listens, for a log line: "127.0.0.1 port 8080 and ::1 port 8080".
    std::string endpoints() const;
    /// Accepts no more connections.
    void close();

private:
    struct Endpoint {
        Endpoint(boost::asio::io_context& io, boost::asio::ip::tcp::endpoint where)
            : acceptor{io},
              retry{io},
              address{std::move(where)} {}

        boost::asio::ip::tcp::acceptor acceptor;
        boost::asio::steady_timer retry;
        boost::asio::ip::tcp::endpoint address;
    };

    struct Failure {
        boost::asio::ip::tcp::endpoint endpoint;
        boost::system::error_code error;
    };

    std::optional<Failure> open_all(const std::vector<boost::asio::ip::address>& addresses,
                                    unsigned short port,
                                    bool ipv6_is_optional);
    void accept(Endpoint& endpoint);

    boost::asio::io_context& io_;
    OnAccept on_accept_;
    EvictIdle evict_idle_;
    std::vector<std::unique_ptr<Endpoint>> endpoints_;
};

}  // namespace uci::net
