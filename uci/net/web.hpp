#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <string>
#include <variant>

// What an application that is served over HTTP and WebSocket sees of the network. Everything here
// belongs to the one thread of the server.
namespace uci::net {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;
using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

/// A client at the other end of a WebSocket. May be used after it has left: nothing happens then.
class WebSocket {
public:
    WebSocket() = default;
    virtual ~WebSocket() = default;
    WebSocket(const WebSocket&) = delete;
    WebSocket& operator=(const WebSocket&) = delete;
    WebSocket(WebSocket&&) = delete;
    WebSocket& operator=(WebSocket&&) = delete;

    /// Sends a text message. A client that is too slow to take what it gets is cut off.
    virtual void send(std::string text) = 0;
    /// Says good-bye.
    virtual void close() = 0;
};

/// What is said over one WebSocket, from its first message to its last.
class Conversation {
public:
    Conversation() = default;
    virtual ~Conversation() = default;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    Conversation(Conversation&&) = delete;
    Conversation& operator=(Conversation&&) = delete;

    /// May add headers to the answer that opens the WebSocket.
    virtual void greet(HttpResponse& /*handshake*/) {}
    /// The client is there.
    virtual void begin(std::shared_ptr<WebSocket> client) = 0;
    /// The client has sent a message, text or binary.
    virtual void hear(const std::string& message) = 0;
    /// The client has left; the last thing that is called.
    virtual void end() = 0;
};

/// A site: it answers requests and holds conversations.
class WebApplication {
public:
    using Respond = std::function<void(HttpResponse)>;
    using Decide = std::function<void(std::variant<std::shared_ptr<Conversation>, HttpResponse>)>;

    WebApplication() = default;
    virtual ~WebApplication() = default;
    WebApplication(const WebApplication&) = delete;
    WebApplication& operator=(const WebApplication&) = delete;
    WebApplication(WebApplication&&) = delete;
    WebApplication& operator=(WebApplication&&) = delete;

    /// Answers a request, at once or later; `respond` is called exactly once.
    virtual void answer(const HttpRequest& request, Respond respond) = 0;
    /// A client asks for a WebSocket: gives the conversation to hold, or the answer that refuses
    /// it, at once or later; `decide` is called exactly once.
    virtual void upgrade(const HttpRequest& request, Decide decide) = 0;
};

/// What clients may take of the server.
struct WebLimits {
    std::size_t connections = 2'000;   ///< at a time, WebSockets included; then silent ones go
    std::size_t header = 16'384;       ///< bytes of a request's head
    std::size_t body = 8'192;          ///< bytes of a request's body
    std::size_t message = 4'096;       ///< bytes of a message over a WebSocket
    std::size_t unsent = 256 * 1'024;  ///< bytes that wait for a slow client
    std::size_t unsent_of_all = 128 * 1'024 * 1'024;
};

}  // namespace uci::net
