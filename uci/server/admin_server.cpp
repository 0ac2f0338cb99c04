#include "uci/server/admin_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/paths.hpp"
#include "core/text.hpp"

#include "uci/net/http_date.hpp"
#include "uci/net/http_framing.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::server {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using core::Error;

constexpr std::string_view unix_prefix{"unix:"};
constexpr std::size_t max_connections = 20;
constexpr std::size_t max_body = 1'024;
constexpr std::chrono::seconds timeout{10};
/// For the server's answer. A store that works answers, or fails, in 7 seconds.
constexpr std::chrono::seconds answer_timeout{8};
constexpr std::chrono::milliseconds accept_retry_delay{100};
constexpr std::int64_t max_port = 65'535;

/// An address and port; the address alone may stand in brackets.
core::Result<asio::ip::tcp::endpoint> read_endpoint(const std::string& text) {
    const auto colon = text.rfind(':');
    const auto port = core::read_integer(colon == std::string::npos ? "" : text.substr(colon + 1));
    auto host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    error_code error;
    const auto address = asio::ip::make_address(host, error);
    if (error || !port || *port < 0 || *port > max_port)
        return Error{core::quoted(text) + " is not an address such as 127.0.0.1:9090, "
                     + "[::1]:9090 or unix:/run/parley/admin.sock"};
    if (!address.is_loopback())
        return Error{core::quoted(text) + ": other machines could reach it; use a loopback address "
                     + "such as 127.0.0.1, or unix:PATH"};
    return asio::ip::tcp::endpoint{address, static_cast<unsigned short>(*port)};
}

/// Where an acceptor listens over TCP.
template <typename Acceptor>
asio::ip::tcp::endpoint tcp_endpoint(const Acceptor& acceptor) {
    error_code ignored;
    const auto bound = acceptor.local_endpoint(ignored);
    asio::ip::tcp::endpoint endpoint;
    if (bound.size() <= endpoint.capacity())
        std::memcpy(endpoint.data(), bound.data(), bound.size());
    return endpoint;
}

#if defined(BOOST_ASIO_HAS_LOCAL_SOCKETS) && !defined(_WIN32)

using UnixEndpoint = asio::local::stream_protocol::endpoint;

core::Result<UnixEndpoint> read_unix_endpoint(const std::string& path) {
    try {
        if (!path.empty())
            return UnixEndpoint{path};
    }
    catch (const boost::system::system_error&) {
        return Error{"unix:" + core::printable(path) + ": the path is too long for a socket"};
    }
    return Error{"unix: needs the path of a socket"};
}

/// Removes a socket that its program has left behind.
void remove_unused_socket(asio::io_context& io, const UnixEndpoint& endpoint) {
    std::error_code ignored;
    const auto path = core::utf8_path(endpoint.path());
    if (!std::filesystem::is_socket(path, ignored))
        return;
    asio::local::stream_protocol::socket probe{io};
    error_code error;
    probe.connect(endpoint, error);
    if (error == asio::error::connection_refused)
        std::filesystem::remove(path, ignored);
}

#endif

}  // namespace

/// One request and its response.
class AdminConnection : public std::enable_shared_from_this<AdminConnection> {
public:
    AdminConnection(AdminApi& api, asio::generic::stream_protocol::socket socket)
        : api_{api},
          stream_{std::move(socket)},
          answer_timer_{stream_.get_executor()} {
        parser_.body_limit(max_body);
    }

    void start() {
        stream_.expires_after(timeout);
        http::async_read(stream_, buffer_, parser_,
                         [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->handle(error);
                         });
    }
    void close() { stream_.close(); }

private:
    void handle(const error_code& error) {
        const bool is_cut_off =
            error == http::error::end_of_stream || error == http::error::partial_message;
        const bool is_malformed =
            !is_cut_off
            && error.category() == http::make_error_code(http::error::bad_method).category();
        if (error && !is_malformed)
            return;
        if (is_malformed || net::check_framing(parser_.get()))
            return write(net::HttpResponse{http::status::bad_request, 11}, nullptr);
        stream_.expires_never();
        request_ = net::HttpRequest{parser_.release()};
        answer_timer_.expires_after(answer_timeout);
        answer_timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
            if (!cancelled)
                self->write(net::HttpResponse{http::status::gateway_timeout, 11}, nullptr);
        });
        api_.handle(request_, [self = shared_from_this()](net::HttpResponse response,
                                                          std::function<void()> then) {
            self->write(std::move(response), std::move(then));
        });
    }

    /// Only the first response is sent: the server's, or that its time is over.
    void write(net::HttpResponse response, std::function<void()> then) {
        if (std::exchange(has_response_, true))
            return;
        answer_timer_.cancel();
        response_ = std::move(response);
        response_.set(http::field::date, net::http_date());
        response_.prepare_payload();
        response_.keep_alive(false);
        if (request_.method() == http::verb::head)
            response_.body().clear();
        stream_.expires_after(timeout);
        http::async_write(
            stream_, response_,
            [self = shared_from_this(), then = std::move(then)](const error_code&, std::size_t) {
                error_code ignored;
                self->stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
                if (then)
                    then();
            });
    }

    AdminApi& api_;
    boost::beast::basic_stream<asio::generic::stream_protocol> stream_;
    boost::beast::flat_buffer buffer_;
    http::request_parser<http::string_body> parser_;
    net::HttpRequest request_;
    net::HttpResponse response_;
    asio::steady_timer answer_timer_;
    bool has_response_ = false;
};

std::optional<Error> check_admin_address(const std::string& text) {
    if (text.starts_with(unix_prefix)) {
#if defined(BOOST_ASIO_HAS_LOCAL_SOCKETS) && !defined(_WIN32)
        const auto endpoint = read_unix_endpoint(text.substr(unix_prefix.size()));
        return endpoint ? std::nullopt : std::optional{endpoint.error()};
#else
        return Error{"this system has no UNIX sockets; use an address such as 127.0.0.1:9090"};
#endif
    }
    const auto endpoint = read_endpoint(text);
    return endpoint ? std::nullopt : std::optional{endpoint.error()};
}

AdminServer::AdminServer(asio::io_context& io, AdminTarget& target)
    : api_{target},
      io_{io},
      acceptor_{io},
      retry_{io} {}

AdminServer::~AdminServer() {
    close();
}

std::optional<Error> AdminServer::listen(const std::string& address) {
    if (address.empty())
        return std::nullopt;
#if defined(BOOST_ASIO_HAS_LOCAL_SOCKETS) && !defined(_WIN32)
    if (address.starts_with(unix_prefix)) {
        const auto endpoint = read_unix_endpoint(address.substr(unix_prefix.size()));
        if (!endpoint)
            return endpoint.error();
        remove_unused_socket(io_, *endpoint);
        if (auto error = open(Protocol{endpoint->protocol()}, Protocol::endpoint{*endpoint}))
            return Error{"--admin " + address + ": " + error->reason};
        socket_path_ = endpoint->path();
        util::log_info("admin on " + address);
        return std::nullopt;
    }
#endif
    const auto endpoint = read_endpoint(address);
    if (!endpoint)
        return endpoint.error();
    if (auto error = open(Protocol{endpoint->protocol()}, Protocol::endpoint{*endpoint}))
        return Error{"--admin " + address + ": " + error->reason};
    const auto where = tcp_endpoint(acceptor_);
    util::log_info("admin on " + where.address().to_string() + " port "
                   + std::to_string(where.port()));
    return std::nullopt;
}

std::optional<Error> AdminServer::open(const Protocol& protocol,
                                       const Protocol::endpoint& endpoint) {
    error_code error;
    acceptor_.open(protocol, error);
#if !defined(_WIN32)
    // As for the other listeners: on Windows the option would let other programs take the port.
    if (!error && protocol.family() != AF_UNIX)
        acceptor_.set_option(asio::socket_base::reuse_address{true}, error);
#endif
    if (!error) {
        util::restrict_new_files();  // a UNIX socket, too, is a file
        acceptor_.bind(endpoint, error);
    }
    if (!error)
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        return Error{error.message()};
    accept();
    return std::nullopt;
}

void AdminServer::accept() {
    acceptor_.async_accept([this](const error_code& error, Socket socket) {
        if (!acceptor_.is_open() || error == asio::error::operation_aborted)
            return;
        if (!error) {
            serve(std::move(socket));
            accept();
            return;
        }
        // The system has no resources for another connection.
        retry_.expires_after(accept_retry_delay);
        retry_.async_wait([this](const error_code& cancelled) {
            if (!cancelled)
                accept();
        });
    });
}

void AdminServer::serve(Socket socket) {
    std::erase_if(connections_, [](const auto& connection) { return connection.expired(); });
    if (connections_.size() >= max_connections)
        return;  // the socket closes itself
    const auto connection = std::make_shared<AdminConnection>(api_, std::move(socket));
    connections_.push_back(connection);
    connection->start();
}

void AdminServer::close() {
    error_code ignored;
    acceptor_.close(ignored);
    retry_.cancel();
    for (const auto& weak : std::exchange(connections_, {})) {
        if (const auto connection = weak.lock())
            connection->close();
    }
    std::error_code ignored_too;
    if (!socket_path_.empty())
        std::filesystem::remove(core::utf8_path(std::exchange(socket_path_, {})), ignored_too);
}

}  // namespace uci::server
