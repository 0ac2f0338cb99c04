#include "uci/net/keep_alive.hpp"

#include <algorithm>

#if !defined(_WIN32)
#include <netinet/tcp.h>
#endif

namespace uci::net {

namespace {

template <int name>
void set_tcp_option(boost::asio::ip::tcp::socket& socket, int value) {
    using Option = boost::asio::detail::socket_option::integer<IPPROTO_TCP, name>;
    boost::system::error_code ignored;
    socket.set_option(Option{value}, ignored);
}

}  // namespace

void keep_alive(boost::asio::ip::tcp::socket& socket, std::chrono::seconds after) {
    boost::system::error_code ignored;
    socket.set_option(boost::asio::socket_base::keep_alive{true}, ignored);
    [[maybe_unused]] constexpr int probes = 3;
    [[maybe_unused]] const int seconds = static_cast<int>(after.count());
#if defined(TCP_KEEPIDLE)
    set_tcp_option<TCP_KEEPIDLE>(socket, seconds);
#elif defined(TCP_KEEPALIVE)
    set_tcp_option<TCP_KEEPALIVE>(socket, seconds);  // macOS
#endif
#if defined(TCP_KEEPINTVL) && defined(TCP_KEEPCNT)
    set_tcp_option<TCP_KEEPINTVL>(socket, std::max(1, seconds / probes));
    set_tcp_option<TCP_KEEPCNT>(socket, probes);
#endif
}

}  // namespace uci::net
