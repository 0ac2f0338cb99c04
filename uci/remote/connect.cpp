#include "uci/remote/connect.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

#include "uci/command_line.hpp"
#include "uci/remote/engine_session.hpp"
#include "uci/remote/relay.hpp"
#include "uci/remote/server_finder.hpp"
#include "uci/remote/token_file.hpp"
#include "uci/transport/stdio_transport.hpp"
#include "uci/util/platform.hpp"

namespace uci::remote {

namespace {

namespace asio = boost::asio;

/// For the last words to the server.
constexpr std::chrono::milliseconds farewell_time{50};
/// Largest table of the local engine in MB.
constexpr int max_local_hash = 128;

MachineLimits local_limits() {
    return {.threads = util::usable_processors(), .hash = max_local_hash};
}

/// What remote clients may set of an engine, as the answer to `uci`.
std::string identification(const DialectInfo& dialect) {
    std::promise<std::string> answer;
    std::string text;
    const CommandFilter filter{{.threads = 1'024, .hash = 1 << 30}};
    bool is_known = false;
    EngineSession::Events events;
    events.on_line = [&](const std::string& line) {
        const auto shown = filter.filter_answer(line);
        if (is_known || !shown)
            return;
        text.append(text.empty() ? "" : "\n").append(*shown);
        is_known = line == "uciok";
        if (is_known)
            answer.set_value(text);
    };
    events.on_end = [] {};
    EngineSession session{dialect, {}, std::move(events)};
    session.say("uci");
    return answer.get_future().get();
}

/// The program: the GUI's lines are read in the calling thread, everything else happens in the I/O
/// thread.
class Connect {
public:
    Connect(std::vector<ServerAddress> servers, std::string token, const DialectInfo& dialect)
        : io_{std::make_shared<asio::io_context>()},
          work_{asio::make_work_guard(*io_)},
          timer_{*io_},
          relay_{outputs(), identification(dialect), local_limits()},
          finder_{io_, std::move(servers), std::move(token), finder_events()},
          local_{dialect, {}, local_events()} {}

    void run() {
        std::thread io_thread{[this] {
            handle([](Time /*now*/) {});
            io_->run();
        }};
        const CommandFilter filter{local_limits()};
        while (auto line = gui_.read_line()) {
            // Whoever says `quit` may not close the input.
            const bool is_last = filter.filter(*line).quits;
            asio::post(*io_, [this, line = std::move(*line)] {
                handle([&](Time now) { relay_.on_gui_line(line, now); });
            });
            if (is_last || over_)
                break;
        }
        asio::post(*io_, [this] { handle([&](Time now) { relay_.on_gui_end(now); }); });
        io_thread.join();
    }

private:
    using Time = Relay::Time;

    Relay::Outputs outputs() {
        Relay::Outputs outputs;
        outputs.gui = [this](const std::string& line) { gui_.write_line(line); };
        outputs.server = [this](const std::string& line) { finder_.say(line); };
        outputs.local = [this](std::string line) { local_.say(std::move(line)); };
        outputs.cut = [this](bool lies) { finder_.cut(lies); };
        return outputs;
    }

    ServerFinder::Events finder_events() {
        ServerFinder::Events events;
        events.settings = [this] { return relay_.settings(); };
        events.on_ready = [this](const std::string& host, ServerFinder::Milliseconds lag) {
            handle([&](Time now) { relay_.on_server_up(host, lag, now); });
        };
        events.on_line = [this](std::string_view line) {
            handle([&](Time now) { relay_.on_server_line(line, now); });
        };
        events.on_lost = [this](const std::string& reason) {
            handle([&](Time now) { relay_.on_server_down(reason, now); });
        };
        events.on_missed = [this](const std::string& host, const std::string& reason) {
            handle([&](Time /*now*/) { relay_.on_server_missed(host, reason); });
        };
        events.is_wanted = [this] { return relay_.wants_server(std::chrono::steady_clock::now()); };
        return events;
    }

    EngineSession::Events local_events() {
        EngineSession::Events events;
        events.on_line = [this](std::string line) {
            asio::post(*io_, [this, line = std::move(line)] {
                handle([&](Time now) { relay_.on_local_line(line, now); });
            });
        };
        events.on_end = [] {};
        return events;
    }

    /// Lets the relay handle an event, and does what follows from its new state.
    void handle(const std::function<void(Time)>& event) {
        if (over_)
            return;
        event(std::chrono::steady_clock::now());
        if (relay_.is_over()) {
            end();
            return;
        }
        const auto now = std::chrono::steady_clock::now();
        const bool was_searching = std::exchange(was_searching_, relay_.is_searching());
        if (relay_.wants_server(now))
            finder_.find(relay_.is_searching() && !was_searching);
        timer_.cancel();
        if (const auto wake = relay_.next_wake(now)) {
            timer_.expires_at(*wake);
            timer_.async_wait([this](const boost::system::error_code& cancelled) {
                if (!cancelled)
                    handle([&](Time time) { relay_.on_time(time); });
            });
        }
    }

    void end() {
        over_ = true;
        local_.end();
        timer_.expires_after(farewell_time);
        timer_.async_wait([this](const boost::system::error_code& /*cancelled*/) {
            finder_.close();
            io_->stop();
        });
    }

    std::shared_ptr<asio::io_context> io_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    asio::steady_timer timer_;
    transport::StdioTransport gui_;
    Relay relay_;
    ServerFinder finder_;
    EngineSession local_;
    bool was_searching_ = false;
    std::atomic<bool> over_{false};
};

}  // namespace

int connect(std::span<const std::string> arguments, const DialectInfo& dialect) {
    TokenOptions token_options;
    std::vector<std::string> words;
    CommandLine line{
        "connect",
        "Stands in a chess program as a local engine and lets an engine on another "
        "machine play, where parley listen runs. When the connection breaks it connects "
        "again; when no server answers in time, the engine of this program plays."};
    line.words("SERVERS", words,
               "HOST[:PORT], or several with commas between them, in the order in which they are "
               "tried; the port is 3333 unless given");
    add_token_options(line, token_options);
    if (const auto status = line.parse(arguments))
        return *status;
    if (words.size() != 1)
        return line.refuse("connect needs one argument: the servers, with commas between them");
    auto servers = read_server_addresses(words.front());
    if (!servers)
        return line.refuse(servers.reason());
    const auto token = read_token(token_options);
    if (!token)
        return line.refuse(token.reason());
    util::ignore_broken_pipes();
    Connect{std::move(*servers), *token, dialect}.run();
    return exit_success;
}

}  // namespace uci::remote
