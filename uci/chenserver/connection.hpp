#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "uci/net/connection_limiter.hpp"
#include "uci/net/same_origin.hpp"

namespace uci::chenserver {

struct RequestHead;

/// What a connection needs of its server.
class ChenserverHost {
public:
    using Reply = std::function<void(const std::string&)>;
    using CommandId = std::uint64_t;

    ChenserverHost() = default;
    virtual ~ChenserverHost() = default;
    ChenserverHost(const ChenserverHost&) = delete;
    ChenserverHost& operator=(const ChenserverHost&) = delete;
    ChenserverHost(ChenserverHost&&) = delete;
    ChenserverHost& operator=(ChenserverHost&&) = delete;

    /// Executes a command of a client (net::client_key()) in its turn; `reply` gets the answer.
    virtual CommandId submit(const std::string& command,
                             Reply reply,
                             const std::string& client) = 0;
    /// The client of a command has gone. A command that has not begun is dropped.
    virtual void abandon(CommandId id) = 0;
    /// Which names the server has, and which pages are its own.
    virtual const net::SameOrigin& same_origin() const = 0;
    /// The answer to a client who may not end the program; nothing if all may.
    virtual std::optional<std::string> refuse_exit() const = 0;
    /// Called once a connection is closed.
    virtual void remove_connection(std::size_t id) = 0;
};

/// One client: a command in a line or in an HTTP request, its answer, and an orderly close. Every
/// stage has a timeout, except the wait for the answer. Belongs to the thread of its socket's
/// io_context.
class ChenserverConnection : public std::enable_shared_from_this<ChenserverConnection> {
public:
    /// The slot is idle, so that another connection may have it, until the client has sent its
    /// command.
    ChenserverConnection(ChenserverHost& host,
                         boost::asio::ip::tcp::socket socket,
                         std::shared_ptr<net::ConnectionSlot> slot,
                         std::size_t id);

    /// Begins to read.
    void start();
    /// Closes the socket at once.
    void close();
    /// Whether an answer is being written.
    bool is_writing() const { return stage_ == Stage::writing; }

private:
    enum class Stage : unsigned char { reading, waiting, writing, draining, closed };

    void read();
    void handle_input();
    void handle_line(const std::string& line);
    void handle_head(std::size_t end_of_line);
    void answer_request(const RequestHead& head);
    std::optional<std::string> refuse_exit(const RequestHead& head) const;
    void submit(const std::string& command, ChenserverHost::Reply reply);
    void ignore_input();
    void handle_ignored(const boost::system::error_code& error, std::size_t size);
    void leave();
    void write(std::string text);
    void drain();
    void enter(Stage stage, std::chrono::milliseconds timeout);

    ChenserverHost& host_;
    boost::asio::ip::tcp::socket socket_;
    std::shared_ptr<net::ConnectionSlot> slot_;
    boost::asio::steady_timer timer_;
    std::size_t id_;
    Stage stage_ = Stage::reading;
    std::array<char, 4'096> chunk_{};
    std::string input_;
    std::string output_;
    std::optional<ChenserverHost::CommandId> command_;  ///< while it waits for its answer
    bool input_ended_ = false;
    std::size_t ignored_ = 0;
};

}  // namespace uci::chenserver
