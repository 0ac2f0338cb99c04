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

/// Accepts connections on one or several addresses. Belongs to the thread of its io_context.
class Listener {
public:
    using Take = std::function<void(boost::asio::ip::tcp::socket)>;

    /// Closes something that a new connection is worth more than; false when there is nothing.
    using MakeRoom = std::function<bool()>;

    /// Each accepted connection is given to `take`. When the system gives no more descriptors,
    /// `make_room` is asked.
    Listener(boost::asio::io_context& io, Take take, MakeRoom make_room = nullptr);

    /// Listens on a port of all addresses in a list such as "127.0.0.1,::1", with an empty list of
    /// this machine alone; or says why that cannot be.
    std::optional<core::Error> listen(const std::string& addresses, unsigned short port);
    /// Whether only this machine can reach it.
    bool is_local_only() const;
    /// Where it listens, in words.
    std::string places() const;
    /// No more connections.
    void close();

private:
    struct Place {
        Place(boost::asio::io_context& io, boost::asio::ip::tcp::endpoint where)
            : acceptor{io},
              pause{io},
              endpoint{std::move(where)} {}

        boost::asio::ip::tcp::acceptor acceptor;
        boost::asio::steady_timer pause;
        boost::asio::ip::tcp::endpoint endpoint;
    };

    std::optional<core::Error> listen(const boost::asio::ip::address& address, unsigned short port);
    void accept(Place& place);

    boost::asio::io_context& io_;
    Take take_;
    MakeRoom make_room_;
    std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace uci::net
