#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "uci/server/admin_api.hpp"

namespace uci::server {

class AdminConnection;

/// Checks an address for the admin listener: 127.0.0.1:9090, [::1]:9090 or unix:PATH. Error: what
/// is wrong with it, or that other machines could reach it.
std::optional<core::Error> check_admin_address(const std::string& text);

/// Listens for the person who runs the server, and for programs that watch it: HTTP on an address
/// of this machine or a UNIX socket, one request for each connection. Belongs to the server's
/// thread.
class AdminServer {
public:
    AdminServer(boost::asio::io_context& io, AdminTarget& target);
    ~AdminServer();
    AdminServer(const AdminServer&) = delete;
    AdminServer& operator=(const AdminServer&) = delete;
    AdminServer(AdminServer&&) = delete;
    AdminServer& operator=(AdminServer&&) = delete;

    /// Listens on what check_admin_address() has checked; nowhere if that is empty. A UNIX socket
    /// that nobody listens on any more is replaced; the new one is for this user only. Error: why
    /// it failed.
    std::optional<core::Error> listen(const std::string& address);
    /// Accepts no more connections and closes those that there are.
    void close();

private:
    using Protocol = boost::asio::generic::stream_protocol;
    using Socket = Protocol::socket;

    std::optional<core::Error> open(const Protocol& protocol, const Protocol::endpoint& endpoint);
    void accept();
    void serve(Socket socket);

    AdminApi api_;
    boost::asio::io_context& io_;
    boost::asio::basic_socket_acceptor<Protocol> acceptor_;
    boost::asio::steady_timer retry_;
    std::string socket_path_;  ///< of a UNIX socket that is to be removed in the end
    std::vector<std::weak_ptr<AdminConnection>> connections_;
};

}  // namespace uci::server
