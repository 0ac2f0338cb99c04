#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "uci/remote/token_handshake.hpp"

namespace uci::remote {

/// One connection to a server, from connecting to its end: the handshake with the token, `uci`, the
/// settings, and then lines both ways. Belongs to the thread of its io_context; lives as long as an
/// operation on it is pending.
class ServerLink : public std::enable_shared_from_this<ServerLink> {
public:
    using Milliseconds = std::chrono::milliseconds;

    struct Greeting {
        std::string token{};  ///< empty for none
        std::string nonce{};
        std::string session_key{};
    };
    /// Why a connection has ended.
    struct End {
        std::string reason;
        bool is_token_refused = false;  ///< by the server or by this side
    };
    struct Events {
        std::function<std::vector<std::string>()> settings;  ///< what to say after `uci`
        std::function<void(Milliseconds lag)> on_ready;
        std::function<void(std::string_view line)> on_line;  ///< after on_ready
        std::function<void(const End& end)> on_end;          ///< the last call
    };

    ServerLink(boost::asio::io_context& io, Greeting greeting, Events events);

    /// Connects to one of the addresses.
    void connect(const std::vector<boost::asio::ip::tcp::endpoint>& endpoints);
    void say(std::string_view line);
    /// Ends the connection. No event follows.
    void close();

private:
    enum class Stage : unsigned char {
        connecting,
        token,
        identification,
        settings,
        ping,  ///< how long a line and its answer take
        ready,
        closed
    };

    void begin();
    void greet();
    void read();
    void handle_input();
    void handle_line(std::string_view line);
    void handle_token_line(std::string_view line);
    void handle_answer(std::string_view line);
    void write();
    void limit(std::chrono::milliseconds time, const char* reason);
    void end(const End& why);

    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
    Greeting greeting_;
    std::optional<ClientHandshake> handshake_;
    Events events_;
    Stage stage_ = Stage::connecting;
    std::chrono::steady_clock::time_point asked_at_;
    std::string last_info_;  ///< what the server said before it was ready
    std::array<char, 16'384> chunk_{};
    std::string input_;
    std::string unsent_;
    std::string sending_;
};

}  // namespace uci::remote
