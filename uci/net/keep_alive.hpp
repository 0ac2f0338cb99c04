#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>

namespace uci::net {

/// Lets TCP find out whether a peer that is silent is still there: after so much silence, and again
/// three times in as much time. Where the system has no such setting its own times apply, which may
/// be hours.
void keep_alive(boost::asio::ip::tcp::socket& socket, std::chrono::seconds after);

}  // namespace uci::net
