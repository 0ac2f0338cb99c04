#include "uci/net/chezz_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>
#if !defined(_WIN32)
#include <sys/stat.h>
#endif

#include <fmt/format.h>

#include "core/text.hpp"

#include "uci/arguments.hpp"
#include "uci/chezz/limits.hpp"
#include "uci/chezz/settings.hpp"
#include "uci/net/chezz_site.hpp"
#include "uci/net/web_server.hpp"
#include "uci/store/choice.hpp"

#if defined(PARLEY_REDIS)
#include "uci/net/redis_news.hpp"
#endif

namespace uci::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr const char* usage =
    R"(usage: parley chezz [OPTION...]    chezz's games over HTTP and WebSocket

  --port N             listen on this port, 0 for any that is free  (default: 8888)
  --bind ADDRESSES     listen there, by comma     (default: 127.0.0.1,::1, this machine only;
                                                   0.0.0.0,:: is everywhere)
  --store FILE         keep the games there       (default: chezz.sqlite in this folder, or Redis
                                                   when REDIS_HOST is set)
  --store redis        keep them in Redis
  --strict-promotion   refuse a promotion without its letter; otherwise it is to a queen
  --draws-stop-play    the third repetition and the fiftieth move end a game by themselves, and
                       look like a stalemate to the front end; otherwise a player claims the draw
  --threads N          that search                (default 1)
  --hash MB            for what was found out     (default 64)

From the environment, or from the file .env in this folder: REDIS_HOST, REDIS_PORT, REDIS_PREFIX,
and ALLOWED_DOMAIN, the origin whose pages may play (default http://localhost:5173).)";

struct Wish {
    int port = 8'888;
    std::string addresses;
    std::string store;
    chezz::Rules rules;
    int threads = 1;
    int hash = 64;
    bool help = false;
};

core::Result<Wish> read_wish(std::span<const std::string> arguments) {
    Wish wish;
    bool strict_promotion = false;
    const auto words = read_arguments(
        arguments, {number("--port", wish.port, 0, 65'535), text("--bind", wish.addresses),
                    text("--store", wish.store), flag("--strict-promotion", strict_promotion),
                    flag("--draws-stop-play", wish.rules.draws_stop_play),
                    number("--threads", wish.threads, 1, 1'024),
                    number("--hash", wish.hash, 1, 1'048'576), flag("--help", wish.help)});
    if (!words)
        return words.error();
    if (!words->empty())
        return core::Error{"'" + core::printable(words->front()) + "' is not understood"};
    wish.rules.queen_by_default = !strict_promotion;
    return wish;
}

constexpr WebLimits limits{.connections = chezz::Limits::connections,
                           .header = chezz::Limits::head,
                           .body = chezz::Limits::body,
                           .message = chezz::Limits::message,
                           .unsent = chezz::Limits::unsent,
                           .unsent_of_all = chezz::Limits::unsent_of_all};
constexpr std::chrono::seconds between_clearings{1};
/// For good-byes to be said, and how often it is looked whether they were.
constexpr std::chrono::milliseconds longest_end{200};
constexpr std::chrono::milliseconds between_looks{10};

/// The server: sockets and games in one thread, the store in a second, the engine in its own,
/// and a speaker that carries the engine's words over.
class Server {
public:
    Server(engine::GeneralInterface& engine,
           std::unique_ptr<store::Store> store,
           const Wish& wish,
           const chezz::Settings& settings)
        : engine_{engine},
          desk_{io_, std::move(store)},
          queue_{engine},
          site_{io_.get_executor(), desk_, queue_, wish.rules, settings.allowed_origin},
          web_{io_, site_, limits},
          signals_{io_, SIGINT, SIGTERM},
          timer_{io_} {}

    std::optional<core::Error> listen(const std::string& addresses, unsigned short port);
    /// Also hears what other processes do with the same Redis.
    void listen_to(const chezz::RedisPlace& place, const std::string& own_name);
    std::string places() const { return web_.places(); }
    void run();

private:
    void clear_away();
    void end();
    void wait_for_good_byes(std::chrono::milliseconds longest);

    engine::GeneralInterface& engine_;
    asio::io_context io_;
    StoreDesk desk_;
    chezz::EngineQueue queue_;
    ChezzSite site_;
    WebServer web_;
#if defined(PARLEY_REDIS)
    std::unique_ptr<RedisNews> news_;
#endif
    asio::signal_set signals_;
    asio::steady_timer timer_;
};

std::optional<core::Error> Server::listen(const std::string& addresses, unsigned short port) {
    auto error = web_.listen(addresses, port);
    site_.set_local_only(web_.is_local_only());
    return error;
}

void Server::listen_to([[maybe_unused]] const chezz::RedisPlace& place,
                       [[maybe_unused]] const std::string& own_name) {
#if defined(PARLEY_REDIS)
    news_ = std::make_unique<RedisNews>(
        io_, place, own_name, [this](chezz::GameId id) { site_.look(id); },
        [this] { site_.look_at_all(); });
    news_->start();
#endif
}

void Server::run() {
    signals_.async_wait([this](const error_code& cancelled, int /*signal*/) {
        if (!cancelled)
            end();
    });
    clear_away();
    std::thread speaker{[this] {
        while (auto response = engine_.next_response()) {
            if (std::holds_alternative<engine::BestMove>(*response))
                asio::post(io_, [this, said = std::move(*response)] { queue_.take(said); });
        }
    }};
    io_.run();
    engine_.quit();
    speaker.join();
}

void Server::clear_away() {
    timer_.expires_after(between_clearings);
    timer_.async_wait([this](const error_code& cancelled) {
        if (cancelled)
            return;
        site_.clear_away();
        clear_away();
    });
}

void Server::end() {
    web_.close();
#if defined(PARLEY_REDIS)
    if (news_)
        news_->close();
#endif
    site_.dismiss_all();
    wait_for_good_byes(longest_end);
}

void Server::wait_for_good_byes(std::chrono::milliseconds longest) {
    timer_.expires_after(between_looks);
    timer_.async_wait([this, longest](const error_code&) {
        if (site_.is_empty() || longest <= between_looks)
            io_.stop();
        else
            wait_for_good_byes(longest - between_looks);
    });
}

/// A connection that breaks is noticed where it is used, and the file with everyone's sessions is
/// its owner's alone.
void prepare_process() {
#if !defined(_WIN32)
    umask(S_IRWXG | S_IRWXO);
    std::signal(SIGPIPE, SIG_IGN);
#endif
}

int fail(const std::string& reason) {
    fmt::print(stderr, "parley: {}\n", reason);
    return 1;
}

int serve(const Wish& wish) {
    prepare_process();
    const auto settings = chezz::settings_here();
    const auto choice = store::choose(wish.store, settings);
    const std::string own_name = chezz::session_id(Randomness{}.secret());
    auto store = store::open(choice, own_name);
    if (!store)
        return fail(store.reason());
    engine::GeneralInterface engine;
    engine.set_option("Threads", std::to_string(wish.threads));
    engine.set_option("Hash", std::to_string(wish.hash));
    Server server{engine, std::move(*store), wish, settings};
    if (const auto error = server.listen(wish.addresses, static_cast<unsigned short>(wish.port)))
        return fail(error->reason);
    if (choice.redis)
        server.listen_to(*choice.redis, own_name);
    fmt::print(stderr, "parley: listening on {}, games in {}, pages of {}\n", server.places(),
               store::description(choice), settings.allowed_origin);
    server.run();
    return 0;
}

}  // namespace

int run_chezz(std::span<const std::string> arguments) {
    const auto wish = read_wish(arguments);
    if (!wish) {
        fmt::print(stderr, "parley: {}\n{}\n", wish.reason(), usage);
        return 1;
    }
    if (wish->help) {
        fmt::print("{}\n", usage);
        return 0;
    }
    return serve(*wish);
}

}  // namespace uci::net
