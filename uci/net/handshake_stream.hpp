#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <cstddef>
#include <string>
#include <utility>

namespace uci::net {

/// A TCP stream below a WebSocket that is about to be opened. Beast adds its name to the response
/// that opens a WebSocket, as the header Server, without a way to prevent that; this takes it out.
class HandshakeStream : public boost::beast::tcp_stream {
public:
    explicit HandshakeStream(boost::beast::tcp_stream&& stream) : Stream{std::move(stream)} {}

    template <typename Buffers, typename Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return boost::asio::async_initiate<Token, void(boost::beast::error_code, std::size_t)>(
            [this](auto handler, const Buffers& given) { write(given, std::move(handler)); }, token,
            buffers);
    }

private:
    using Stream = boost::beast::tcp_stream;

    /// The first write is the response.
    template <typename Buffers, typename Handler>
    void write(const Buffers& buffers, Handler handler) {
        if (std::exchange(is_open_, true))
            return Stream::async_write_some(buffers, std::move(handler));
        response_ = without_server(boost::beast::buffers_to_string(buffers));
        const auto size = boost::asio::buffer_size(buffers);
        boost::asio::async_write(static_cast<Stream&>(*this), boost::asio::buffer(response_),
                                 [handler = std::move(handler), size](
                                     const boost::beast::error_code& error, std::size_t) mutable {
                                     handler(error, error ? 0 : size);
                                 });
    }

    static std::string without_server(std::string response) {
        const auto line = response.find("\r\nServer: ");
        if (line != std::string::npos)
            response.erase(line, response.find("\r\n", line + 2) - line);
        return response;
    }

    std::string response_;
    bool is_open_ = false;
};

inline void teardown(boost::beast::role_type role,
                     HandshakeStream& stream,
                     boost::beast::error_code& error) {
    using boost::beast::websocket::teardown;
    teardown(role, static_cast<boost::beast::tcp_stream&>(stream), error);
}

template <typename Handler>
void async_teardown(boost::beast::role_type role, HandshakeStream& stream, Handler&& handler) {
    using boost::beast::websocket::async_teardown;
    async_teardown(role, static_cast<boost::beast::tcp_stream&>(stream),
                   std::forward<Handler>(handler));
}

}  // namespace uci::net
