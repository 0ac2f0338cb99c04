#include "uci/net/listener.hpp"

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

namespace uci::net {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

/// How long to wait when the system has no resources for another connection.
constexpr std::chrono::milliseconds accept_retry_delay{100};

/// How often another free port is tried.
constexpr int max_port_retries = 20;

/// Opens, binds and listens. The error of the first step that fails.
error_code open(ip::tcp::acceptor& acceptor, const ip::tcp::endpoint& endpoint) {
    error_code error;
    acceptor.open(endpoint.protocol(), error);
#if !defined(_WIN32)
    // Allow a restart at once. On Windows the option would let other programs take the port.
    if (!error)
        acceptor.set_option(ip::tcp::acceptor::reuse_address{true}, error);
#endif
    if (!error && endpoint.address().is_v6())
        acceptor.set_option(ip::v6_only{true}, error);
    if (!error)
        acceptor.bind(endpoint, error);
    if (!error)
        acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    return error;
}

/// Whether an IPv6 address could not be opened because this machine has no IPv6.
bool means_no_ipv6(const error_code& error) {
    namespace errc = boost::system::errc;
    return error == errc::address_family_not_supported || error == errc::protocol_not_supported
        || error == errc::address_not_available;
}

/// The addresses of a comma-separated list.
core::Result<std::vector<ip::address>> read_addresses(const std::string& list) {
    std::vector<ip::address> addresses;
    std::size_t start = 0;
    while (start <= list.size()) {
        const auto end = std::min(list.find(',', start), list.size());
        const std::string text = list.substr(start, end - start);
        error_code error;
        addresses.push_back(ip::make_address(text, error));
        if (error)
            return core::Error{core::quoted(text)
                               + " is not an IP address such as 127.0.0.1 or ::1"};
        start = end + 1;
    }
    return addresses;
}

}  // namespace

std::optional<core::Error> check_addresses(const std::string& list) {
    if (list.empty())
        return std::nullopt;
    const auto addresses = read_addresses(list);
    return addresses ? std::nullopt : std::optional{addresses.error()};
}

Listener::Listener(boost::asio::io_context& io, OnAccept on_accept, EvictIdle evict_idle)
    : io_{io},
      on_accept_{std::move(on_accept)},
      evict_idle_{std::move(evict_idle)} {}

std::optional<core::Error> Listener::listen(const std::string& addresses, unsigned short port) {
    const bool is_default = addresses.empty();
    const auto wanted = read_addresses(is_default ? "127.0.0.1,::1" : addresses);
    if (!wanted)
        return wanted.error();
    auto failure = open_all(*wanted, port, is_default);
    // With port 0, the port that is free on the first address may be taken on the second.
    for (int retries = 0; port == 0 && failure && retries < max_port_retries; ++retries)
        failure = open_all(*wanted, port, is_default);
    if (failure)
        return core::Error{fmt::format("cannot listen on {} port {}: {}",
                                       failure->endpoint.address().to_string(),
                                       failure->endpoint.port(), failure->error.message())};
    for (const auto& endpoint : endpoints_)
        accept(*endpoint);
    return std::nullopt;
}

/// Opens the same port of all addresses, or of none. Port 0 stands for a free one.
std::optional<Listener::Failure> Listener::open_all(const std::vector<ip::address>& addresses,
                                                    unsigned short port,
                                                    bool ipv6_is_optional) {
    for (const auto& address : addresses) {
        auto endpoint = std::make_unique<Endpoint>(io_, ip::tcp::endpoint{address, port});
        const auto error = open(endpoint->acceptor, endpoint->address);
        if (ipv6_is_optional && address.is_v6() && means_no_ipv6(error))
            continue;
        if (error) {
            endpoints_.clear();
            return Failure{endpoint->address, error};
        }
        error_code ignored;
        endpoint->address = endpoint->acceptor.local_endpoint(ignored);
        port = endpoint->address.port();
        endpoints_.push_back(std::move(endpoint));
    }
    return std::nullopt;
}

void Listener::accept(Endpoint& endpoint) {
    endpoint.acceptor.async_accept(
        [this, &endpoint](const error_code& error, ip::tcp::socket socket) {
            if (error == boost::asio::error::operation_aborted || !endpoint.acceptor.is_open())
                return;
            if (!error) {
                // In this order, so that connections are read in the order in which they came.
                try {
                    on_accept_(std::move(socket));
                }
                catch (...) {
                    accept(endpoint);
                    throw;
                }
                if (endpoint.acceptor.is_open())
                    accept(endpoint);
                return;
            }
            if (error == boost::asio::error::no_descriptors && evict_idle_ && evict_idle_()) {
                accept(endpoint);
                return;
            }
            endpoint.retry.expires_after(accept_retry_delay);
            endpoint.retry.async_wait([this, &endpoint](const error_code& cancelled) {
                if (!cancelled && endpoint.acceptor.is_open())
                    accept(endpoint);
            });
        });
}

bool Listener::is_local_only() const {
    return std::all_of(endpoints_.begin(), endpoints_.end(), [](const auto& endpoint) {
        return endpoint->address.address().is_loopback();
    });
}

std::string Listener::endpoints() const {
    std::string text;
    for (const auto& endpoint : endpoints_)
        text += fmt::format("{}{} port {}", text.empty() ? "" : " and ",
                            endpoint->address.address().to_string(), endpoint->address.port());
    return text;
}

void Listener::close() {
    error_code ignored;
    for (const auto& endpoint : endpoints_) {
        endpoint->acceptor.close(ignored);
        endpoint->retry.cancel();
    }
}

}  // namespace uci::net
