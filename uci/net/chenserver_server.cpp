#include "uci/net/chenserver_server.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "uci/arguments.hpp"
#include "uci/chenserver/desk.hpp"
#include "uci/net/chenserver_connection.hpp"
#include "uci/net/listener.hpp"

namespace uci::net {

namespace {

namespace asio = boost::asio;

/// More clients than these at a time are not served; of those who say nothing the oldest goes
/// first.
constexpr std::size_t most_connections = 900;

constexpr const char* usage =
    R"(usage: parley -p PORT [OPTION...]    ChenServer's commands over TCP and HTTP

  --bind ADDRESSES   listen there, by comma     (default: 127.0.0.1,::1, this machine only;
                                                 0.0.0.0,:: is everywhere)
  --no-exit          clients cannot end the program
  --threads N        that search                (default 1)
  --hash MB          for what was found out     (default 64))";

/// Says something to the person who started the program; if nobody listens, that is no harm.
void tell(const std::string& text) {
    static_cast<void>(std::fputs(("parley: " + text + '\n').c_str(), stderr));
}

struct Wish {
    int port = 0;
    std::string addresses;
    bool no_exit = false;
    bool help = false;
    int threads = 1;
    int hash = 64;
};

core::Result<Wish> read_wish(std::span<const std::string> arguments) {
    Wish wish;
    const auto words = read_arguments(
        arguments,
        {number("-p", wish.port, 1, 65'535), text("--bind", wish.addresses),
         flag("--no-exit", wish.no_exit), flag("--help", wish.help),
         number("--threads", wish.threads, 1, 1'024), number("--hash", wish.hash, 1, 1'048'576)});
    if (!words)
        return words.error();
    if (!words->empty())
        return core::Error{"'" + words->front() + "' is not understood"};
    return wish;
}

/// The server: all sockets and the desk in one thread, the engine in its own, and a speaker that
/// carries the engine's words over.
class Server : public ChenserverHost {
public:
    Server(engine::GeneralInterface& engine, bool may_exit)
        : engine_{engine},
          desk_{engine},
          listener_{io_, [this](asio::ip::tcp::socket socket) { take(std::move(socket)); },
                    [this] { return make_room(); }},
          signals_{io_, SIGINT, SIGTERM},
          may_exit_{may_exit} {}

    std::optional<core::Error> listen(const std::string& addresses, unsigned short port) {
        return listener_.listen(addresses, port);
    }
    std::string places() const { return listener_.places(); }
    void run();

    void submit(const std::string& command, Reply reply) override {
        desk_.submit(command, std::move(reply));
        if (desk_.has_ended())
            end();
    }
    bool is_local_only() const override { return listener_.is_local_only(); }
    bool may_exit() const override { return may_exit_; }
    void forget(std::size_t id) override { connections_.erase(id); }

private:
    void take(asio::ip::tcp::socket socket);
    bool make_room();
    void end();

    engine::GeneralInterface& engine_;
    asio::io_context io_;
    chenserver::Desk desk_;
    Listener listener_;
    asio::signal_set signals_;
    std::map<std::size_t, std::shared_ptr<ChenserverConnection>> connections_;
    std::size_t next_id_ = 0;
    bool may_exit_;
};

void Server::run() {
    signals_.async_wait([this](const boost::system::error_code& cancelled, int /*signal*/) {
        if (!cancelled)
            end();
    });
    std::thread speaker{[this] {
        while (auto response = engine_.next_response()) {
            if (std::holds_alternative<engine::BestMove>(*response)
                || std::holds_alternative<engine::Snapshot>(*response))
                asio::post(io_, [this, said = std::move(*response)] {
                    desk_.take(said);
                    if (desk_.has_ended())
                        end();
                });
        }
    }};
    io_.run();
    engine_.quit();
    speaker.join();
}

void Server::take(asio::ip::tcp::socket socket) {
    if (connections_.size() >= most_connections && !make_room())
        return;  // the socket closes itself
    boost::system::error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay{true}, ignored);
    const auto id = next_id_++;
    const auto connection = std::make_shared<ChenserverConnection>(*this, std::move(socket), id);
    connections_.emplace(id, connection);
    connection->start();
}

/// Sends away the oldest client that has not said what it wants; false when there is none.
bool Server::make_room() {
    const auto silent = std::find_if(connections_.begin(), connections_.end(),
                                     [](const auto& item) { return item.second->is_reading(); });
    if (silent == connections_.end())
        return false;
    const auto connection = silent->second;
    connection->close();
    return true;
}

/// Answers that are on their way still arrive; then there is nothing left to do and run() ends.
void Server::end() {
    listener_.close();
    signals_.cancel();
    const auto connections = connections_;
    for (const auto& [id, connection] : connections) {
        if (!connection->is_writing())
            connection->close();
    }
}

}  // namespace

int run_chenserver(std::span<const std::string> arguments) {
    const auto wish = read_wish(arguments);
    if (!wish) {
        tell(fmt::format("{}\n{}", wish.reason(), usage));
        return 1;
    }
    if (wish->help) {
        fmt::print("{}\n", usage);
        return 0;
    }
    engine::GeneralInterface engine;
    engine.set_option("Threads", std::to_string(wish->threads));
    engine.set_option("Hash", std::to_string(wish->hash));
    Server server{engine, !wish->no_exit};
    if (const auto error =
            server.listen(wish->addresses, static_cast<unsigned short>(wish->port))) {
        tell(error->reason);
        return 1;
    }
    tell("listening on " + server.places());
    server.run();
    return 0;
}

}  // namespace uci::net
