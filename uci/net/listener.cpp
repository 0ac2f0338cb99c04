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

/// How long to wait when the system has no room for another connection.
constexpr std::chrono::milliseconds pause_without_room{100};

/// Opens, binds and listens; the first of these that fails says why.
error_code open(ip::tcp::acceptor& acceptor, const ip::tcp::endpoint& endpoint) {
    error_code error;
    acceptor.open(endpoint.protocol(), error);
#if !defined(_WIN32)
    // Restarting at once must work. On Windows the same option would let others take the port.
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

/// The addresses that a list names, by comma.
core::Result<std::vector<ip::address>> read_addresses(const std::string& list) {
    std::vector<ip::address> addresses;
    std::size_t start = 0;
    while (start <= list.size()) {
        const auto end = std::min(list.find(',', start), list.size());
        const std::string text = list.substr(start, end - start);
        error_code error;
        addresses.push_back(ip::make_address(text, error));
        if (error)
            return core::Error{"'" + core::printable(text)
                               + "' is no address such as 127.0.0.1 or ::1"};
        start = end + 1;
    }
    return addresses;
}

}  // namespace

Listener::Listener(boost::asio::io_context& io, Take take, MakeRoom make_room)
    : io_{io},
      take_{std::move(take)},
      make_room_{std::move(make_room)} {}

std::optional<core::Error> Listener::listen(const std::string& addresses, unsigned short port) {
    const auto places = read_addresses(addresses.empty() ? "127.0.0.1" : addresses);
    if (!places)
        return places.error();
    for (const auto& address : *places) {
        if (auto error = listen(address, port))
            return error;
    }
    // A machine without IPv6 is served all the same.
    if (addresses.empty())
        listen(ip::address_v6::loopback(), port);
    return std::nullopt;
}

std::optional<core::Error> Listener::listen(const ip::address& address, unsigned short port) {
    auto place = std::make_unique<Place>(io_, ip::tcp::endpoint{address, port});
    const auto error = open(place->acceptor, place->endpoint);
    if (error)
        return core::Error{fmt::format("cannot listen on {} port {}: {}", address.to_string(), port,
                                       error.message())};
    // Port 0 stands for any that is free.
    error_code ignored;
    place->endpoint = place->acceptor.local_endpoint(ignored);
    places_.push_back(std::move(place));
    accept(*places_.back());
    return std::nullopt;
}

void Listener::accept(Place& place) {
    place.acceptor.async_accept([this, &place](const error_code& error, ip::tcp::socket socket) {
        if (error == boost::asio::error::operation_aborted || !place.acceptor.is_open())
            return;
        if (!error) {
            take_(std::move(socket));
            if (place.acceptor.is_open())
                accept(place);
            return;
        }
        if (error == boost::asio::error::no_descriptors && make_room_ && make_room_()) {
            accept(place);
            return;
        }
        place.pause.expires_after(pause_without_room);
        place.pause.async_wait([this, &place](const error_code& cancelled) {
            if (!cancelled && place.acceptor.is_open())
                accept(place);
        });
    });
}

bool Listener::is_local_only() const {
    return std::all_of(places_.begin(), places_.end(),
                       [](const auto& place) { return place->endpoint.address().is_loopback(); });
}

std::string Listener::places() const {
    std::string text;
    for (const auto& place : places_)
        text += fmt::format("{}{} port {}", text.empty() ? "" : " and ",
                            place->endpoint.address().to_string(), place->endpoint.port());
    return text;
}

void Listener::close() {
    error_code ignored;
    for (const auto& place : places_) {
        place->acceptor.close(ignored);
        place->pause.cancel();
    }
}

}  // namespace uci::net
