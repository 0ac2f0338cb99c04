#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "uci/net/connection_limiter.hpp"
#include "uci/remote/remote_client.hpp"
#include "uci/remote/wire.hpp"

namespace uci::remote {

/// A client over plain TCP, which gets nothing before its first line. If that is an HTTP request,
/// the connection is given away. Lives as long as it reads or writes. Belongs to the I/O thread.
class LineConnection : public Wire, public std::enable_shared_from_this<LineConnection> {
public:
    /// Takes a connection whose first line is an HTTP request, with what was read of it.
    using OnHttp = std::function<void(boost::asio::ip::tcp::socket,
                                      std::shared_ptr<net::ConnectionSlot>,
                                      const std::string& received)>;

    LineConnection(boost::asio::ip::tcp::socket socket,
                   std::shared_ptr<net::ConnectionSlot> slot,
                   std::shared_ptr<RemoteClient> client,
                   OnHttp on_http);

    void start();

    void send(std::string line) override;
    void keep() override;
    void close() override;

private:
    void read();
    void handle_input();
    void finish();
    void give_away();

    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<net::ConnectionSlot> slot_;
    std::shared_ptr<RemoteClient> client_;
    OnHttp on_http_;
    std::array<char, 16'384> chunk_{};
    std::string input_;
    std::string output_;
    bool is_first_line_ = true;
    bool finished_ = false;
};

/// Whether a first line is that of an HTTP request: "GET /uci HTTP/1.1".
bool is_http_request_line(std::string_view line);

}  // namespace uci::remote
