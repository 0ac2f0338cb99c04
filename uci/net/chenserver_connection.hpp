#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace uci::net {

struct RequestHead;

/// What a connection needs of its server.
class ChenserverHost {
public:
    using Reply = std::function<void(const std::string&)>;

    ChenserverHost() = default;
    virtual ~ChenserverHost() = default;
    ChenserverHost(const ChenserverHost&) = delete;
    ChenserverHost& operator=(const ChenserverHost&) = delete;
    ChenserverHost(ChenserverHost&&) = delete;
    ChenserverHost& operator=(ChenserverHost&&) = delete;

    /// Hands in a command; it is answered in its turn.
    virtual void submit(const std::string& command, Reply reply) = 0;
    /// Whether only this machine can reach the server.
    virtual bool is_local_only() const = 0;
    /// Whether a client may end the program.
    virtual bool may_exit() const = 0;
    /// The connection is over.
    virtual void forget(std::size_t id) = 0;
};

/// One client: a command in a line or in an HTTP request, its answer, and an orderly close. Every
/// stage has its longest time. Belongs to the thread of its socket's io_context.
class ChenserverConnection : public std::enable_shared_from_this<ChenserverConnection> {
public:
    /// A command, or the head of a request, is no longer than this.
    static constexpr std::size_t longest_input = 65'536;

    ChenserverConnection(ChenserverHost& host, boost::asio::ip::tcp::socket socket, std::size_t id);

    /// Begins to read.
    void start();
    /// Ends it, whatever it is doing.
    void close();
    /// Whether the client has not yet said what it wants.
    bool is_reading() const { return stage_ == Stage::reading; }
    /// Whether an answer is on its way.
    bool is_writing() const { return stage_ == Stage::writing; }

private:
    enum class Stage : unsigned char { reading, waiting, writing, draining, closed };

    void read();
    void look_at_input();
    void look_at_line(const std::string& line);
    void look_at_head(std::size_t end_of_line);
    void answer_request(const RequestHead& head);
    void write(std::string text);
    void drain();
    void enter(Stage stage, std::chrono::milliseconds longest);

    ChenserverHost& host_;
    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
    std::size_t id_;
    Stage stage_ = Stage::reading;
    std::array<char, 4'096> chunk_{};
    std::string input_;
    std::string output_;
    std::size_t drained_ = 0;
};

}  // namespace uci::net
