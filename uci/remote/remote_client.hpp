#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "uci/remote/command_filter.hpp"
#include "uci/remote/engine_session.hpp"
#include "uci/remote/limits.hpp"
#include "uci/remote/output_queue.hpp"
#include "uci/remote/token_handshake.hpp"
#include "uci/remote/wire.hpp"
#include "uci/remote/wrong_tokens.hpp"

namespace uci::remote {

class RemoteClient;

/// What a server gives its clients. Belongs to the I/O thread.
class SessionHost {
public:
    struct Settings {
        MachineLimits machine{};
        std::string token{};                       ///< empty for none
        std::chrono::seconds idle{600};            ///< without a command and without a search
        std::vector<engine::SetOption> options{};  ///< of each engine
    };

    SessionHost() = default;
    virtual ~SessionHost() = default;
    SessionHost(const SessionHost&) = delete;
    SessionHost& operator=(const SessionHost&) = delete;
    SessionHost(SessionHost&&) = delete;
    SessionHost& operator=(SessionHost&&) = delete;

    virtual boost::asio::io_context& io() = 0;
    virtual const Settings& settings() const = 0;
    virtual WrongTokens& wrong_tokens() = 0;
    virtual std::string new_nonce() = 0;
    /// A session for a client, which the host keeps until its end. Null when all are taken.
    virtual std::shared_ptr<EngineSession> begin_session(
        const std::shared_ptr<RemoteClient>& client) = 0;
    /// Ends the client that has begun its session with this key, if there is one.
    virtual void end_session_of(const std::string& key) = 0;
    /// The client has no connection any more.
    virtual void remove(const RemoteClient& client) = 0;
};

/// One client of `parley listen`, from its first line to its last: the token, the session, the idle
/// limit, and what waits to be sent. Belongs to the I/O thread.
class RemoteClient : public std::enable_shared_from_this<RemoteClient> {
public:
    RemoteClient(SessionHost& host, const boost::asio::ip::address& address);

    /// The connection is open.
    void open(std::shared_ptr<Wire> wire);
    /// The client has sent a line, without its line end.
    void on_line(std::string_view line);
    /// The line given to Wire::send() has been sent.
    void on_sent();
    /// The connection has ended.
    void on_closed();
    /// The engine has said a line.
    void on_engine_line(const std::string& line);

    /// Says why, as an `info string`, and ends the connection after a delay.
    void refuse(const std::string& reason, std::chrono::milliseconds delay);
    /// Ends the connection at once.
    void close(std::string_view reason);
    /// As the client gave it with `session KEY`; empty without.
    const std::string& key() const { return key_; }
    const std::string& address() const { return address_; }

private:
    enum class Stage : unsigned char { authenticating, greeting, playing, closing, closed };
    using Clock = std::chrono::steady_clock;

    void authenticate(std::string_view line);
    void refuse_token();
    void greet(std::string_view line);
    void play(std::string_view line);
    void send(std::string line);
    void flush();
    void watch();
    std::optional<std::string_view> overdue() const;

    SessionHost& host_;
    std::string address_;
    std::shared_ptr<Wire> wire_;
    Stage stage_;
    std::optional<ServerHandshake> handshake_;
    CommandFilter filter_;
    std::shared_ptr<EngineSession> session_;
    std::string key_;
    OutputQueue unsent_{max_unsent};
    bool is_sending_ = false;
    int searches_ = 0;  ///< `go` commands without their `bestmove`
    /// When it connected; in a session, when the last command or best move came.
    Clock::time_point last_activity_ = Clock::now();
    Clock::time_point sending_since_;
    boost::asio::steady_timer timer_;
};

}  // namespace uci::remote
