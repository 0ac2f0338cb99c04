#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

// The interface between the HTTP server and an application. Everything here belongs to the server's
// one thread.
namespace uci::net {

/// A request, and where it comes from.
// NOLINTNEXTLINE(bugprone-exception-escape): the assignment of Beast's fields may throw
struct HttpRequest : boost::beast::http::request<boost::beast::http::string_body> {
    using Message = boost::beast::http::request<boost::beast::http::string_body>;

    HttpRequest() = default;
    HttpRequest(boost::beast::http::verb method, boost::beast::string_view target, unsigned version)
        : Message{method, target, version} {}
    explicit HttpRequest(Message&& plain) : Message{std::move(plain)} {}

    /// The client; behind a trusted proxy, the client of that.
    boost::asio::ip::address client;
    bool is_https = false;  ///< a trusted proxy says that the client uses HTTPS
    /// Has the connection call back once, if the client leaves before it gets its response: that is
    /// still to be given. May be kept after handle() has returned; empty in requests that come from
    /// no connection.
    std::function<void(std::function<void()> on_gone)> when_gone;
};
using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

/// A connected WebSocket. Calls after the client has left do nothing.
class WebSocket {
public:
    WebSocket() = default;
    virtual ~WebSocket() = default;
    WebSocket(const WebSocket&) = delete;
    WebSocket& operator=(const WebSocket&) = delete;
    WebSocket(WebSocket&&) = delete;
    WebSocket& operator=(WebSocket&&) = delete;

    /// Sends a text message. A client that reads too slowly is disconnected.
    virtual void send(std::string text) = 0;
    /// Whether the connection may be closed whenever another one needs its place. Unless that is
    /// set, only once the client has sent nothing for long.
    virtual void set_evictable(bool evictable) = 0;
    /// Sends what is pending, then closes the connection.
    virtual void close() = 0;
};

/// Handles the events of one WebSocket. An exception from a handler closes the connection.
class WebSocketHandler {
public:
    WebSocketHandler() = default;
    virtual ~WebSocketHandler() = default;
    WebSocketHandler(const WebSocketHandler&) = delete;
    WebSocketHandler& operator=(const WebSocketHandler&) = delete;
    WebSocketHandler(WebSocketHandler&&) = delete;
    WebSocketHandler& operator=(WebSocketHandler&&) = delete;

    /// May add headers to the response that opens the WebSocket.
    virtual void on_handshake(HttpResponse& /*handshake*/) {}
    /// The connection is open.
    virtual void on_open(std::shared_ptr<WebSocket> client) = 0;
    /// The client has sent a text or binary message.
    virtual void on_message(const std::string& message) = 0;
    /// Everything that was sent has left for the client: for handlers that send no faster than it
    /// reads.
    virtual void on_drained() {}
    /// The connection is closed, or could not be opened; the last call.
    virtual void on_close() = 0;
};

/// Answers HTTP requests and accepts WebSockets. An exception before a request has its response
/// becomes status 500.
class RequestHandler {
public:
    using Respond = std::function<void(HttpResponse)>;
    using Decide =
        std::function<void(std::variant<std::shared_ptr<WebSocketHandler>, HttpResponse>)>;

    RequestHandler() = default;
    virtual ~RequestHandler() = default;
    RequestHandler(const RequestHandler&) = delete;
    RequestHandler& operator=(const RequestHandler&) = delete;
    RequestHandler(RequestHandler&&) = delete;
    RequestHandler& operator=(RequestHandler&&) = delete;

    /// Handles a request, at once or later; `respond` is called exactly once.
    virtual void handle(const HttpRequest& request, Respond respond) = 0;
    /// Handles the request for a WebSocket: gives the handler for it, or the response that refuses
    /// it, at once or later; `decide` is called exactly once.
    virtual void upgrade(const HttpRequest& request, Decide decide) = 0;
    /// The response to a request that is not read to its end: it is malformed or too large, or its
    /// client has too many connections.
    virtual HttpResponse refusal(boost::beast::http::status status) { return {status, 11}; }
};

/// Limits on what clients may use.
struct HttpLimits {
    std::size_t connections = 2'000;  ///< including WebSockets; beyond it idle ones are closed
    std::size_t connections_per_client = 200;  ///< of one client address
    std::size_t header = 16'384;               ///< bytes of a request's header
    std::size_t body = 8'192;                  ///< bytes of a request's body
    /// A WebSocket that has sent no message for so long is idle, though it answers pings: it is
    /// closed when another connection needs its place.
    std::chrono::milliseconds websocket_idle_timeout{120'000};
    std::size_t message = 4'096;             ///< bytes of a WebSocket message
    std::size_t unsent = 262'144;            ///< bytes that wait for a slow client
    std::size_t unsent_total = 134'217'728;  ///< the same for all clients
    /// A client that has not taken its HTTP response for so long is closed when others need its
    /// place, or the bytes that wait for it.
    std::chrono::milliseconds send_patience{5'000};
};

}  // namespace uci::net
