#include "uci/net/play/server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/arguments.hpp"
#include "uci/net/play/application.hpp"
#include "uci/net/play/limits.hpp"
#include "uci/net/web_server.hpp"

namespace uci::net::play {

namespace {

namespace asio = boost::asio;

constexpr const char* usage =
    R"(usage: parley serve [OPTION...]    a page to play on, and JSON messages over HTTP and WebSocket

  --port N           listen there               (default 8080; 0 is any that is free)
  --bind ADDRESSES   listen there, by comma     (default: 127.0.0.1,::1, this machine only;
                                                 0.0.0.0,:: is everywhere)
  --threads N        that search                (default 1)
  --hash MB          for what was found out     (default 64))";

/// Says something to the person who started the program; if nobody listens, that is no harm.
void tell(const std::string& text) {
    static_cast<void>(std::fputs(("parley: " + text + '\n').c_str(), stderr));
}

struct Wish {
    int port = 8'080;
    std::string addresses;
    bool help = false;
    int threads = 1;
    int hash = 64;
};

core::Result<Wish> read_wish(std::span<const std::string> arguments) {
    Wish wish;
    const auto words = read_arguments(
        arguments, {number("--port", wish.port, 0, 65'535), text("--bind", wish.addresses),
                    flag("--help", wish.help), number("--threads", wish.threads, 1, 1'024),
                    number("--hash", wish.hash, 1, 1'048'576)});
    if (!words)
        return words.error();
    if (!words->empty())
        return core::Error{"'" + core::printable(words->front()) + "' is not understood"};
    return wish;
}

WebLimits web_limits() {
    WebLimits limits;
    limits.connections = most_connections;
    limits.body = limits.message = longest_input;
    return limits;
}

/// All sockets and games in one thread, the engine in its own, and a speaker that carries the
/// engine's words over.
class Server {
public:
    explicit Server(engine::GeneralInterface& engine)
        : engine_{engine},
          thinker_{engine, io_},
          lobby_{thinker_},
          application_{lobby_},
          web_{io_, application_, web_limits()},
          signals_{io_, SIGINT, SIGTERM},
          sweep_{io_} {}

    std::optional<core::Error> listen(const std::string& addresses, unsigned short port) {
        if (auto error = web_.listen(addresses, port))
            return error;
        application_.set_local_only(web_.is_local_only());
        tell("serving on " + web_.places());
        return std::nullopt;
    }
    void run();

private:
    void sweep();

    engine::GeneralInterface& engine_;
    asio::io_context io_;
    Thinker thinker_;
    Lobby lobby_;
    Application application_;
    WebServer web_;
    asio::signal_set signals_;
    asio::steady_timer sweep_;
};

void Server::run() {
    signals_.async_wait([this](const boost::system::error_code& cancelled, int /*signal*/) {
        if (!cancelled)
            io_.stop();
    });
    sweep();
    std::thread speaker{[this] {
        while (auto response = engine_.next_response())
            asio::post(io_, [this, said = std::move(*response)] { thinker_.take(said); });
    }};
    io_.run();
    engine_.quit();
    speaker.join();
}

void Server::sweep() {
    lobby_.sweep(std::chrono::steady_clock::now());
    sweep_.expires_after(between_sweeps);
    sweep_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled)
            sweep();
    });
}

}  // namespace

int serve(std::span<const std::string> arguments) {
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
    Server server{engine};
    if (const auto error =
            server.listen(wish->addresses, static_cast<unsigned short>(wish->port))) {
        tell(error->reason);
        return 1;
    }
    server.run();
    return 0;
}

}  // namespace uci::net::play
