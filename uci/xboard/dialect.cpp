#include "uci/xboard/dialect.hpp"

#include <csignal>
#include <string>
#include <thread>
#include <variant>

#include "core/text.hpp"

#include "uci/server/synced_values.hpp"
#include "uci/transport/unanswered_lines.hpp"
#include "uci/xboard/session.hpp"

namespace uci::xboard {

namespace {

/// Lines that may wait for the session. Beyond that the client's input is not read.
constexpr std::size_t max_unhandled_lines = 64;
/// How long a move may still be thought about after the end of the input: that of a script, while a
/// client that is gone needs none.
constexpr engine::Milliseconds eof_grace{3'000};

// What reaches the session in order with the engine's responses.
struct Line {
    std::string text;
    engine::TimePoint arrival;
};
struct Synced {};
struct EndOfInput {};
using Event = std::variant<Line, Synced, EndOfInput>;
using Events = server::SyncedValues<Event>;

/// xboard interrupts an engine before each line until it has read `feature sigint=0`.
class InterruptsIgnored {
public:
    InterruptsIgnored() : before_{std::signal(SIGINT, SIG_IGN)} {}
    ~InterruptsIgnored() { static_cast<void>(std::signal(SIGINT, before_)); }
    InterruptsIgnored(const InterruptsIgnored&) = delete;
    InterruptsIgnored& operator=(const InterruptsIgnored&) = delete;
    InterruptsIgnored(InterruptsIgnored&&) = delete;
    InterruptsIgnored& operator=(InterruptsIgnored&&) = delete;

private:
    void (*before_)(int);
};

/// The second thread: gives events and responses to the session and does what it wants.
class SessionThread {
public:
    SessionThread(engine::GeneralInterface& engine,
                  transport::Transport& transport,
                  Events& events,
                  transport::UnansweredLines& unhandled)
        : engine_{engine},
          transport_{transport},
          events_{events},
          unhandled_{unhandled} {}

    void run() {
        while (const auto response = engine_.next_response()) {
            if (const auto* marker = std::get_if<engine::Synced>(&*response))
                std::visit([this](const auto& event) { handle(event); }, events_.receive(*marker));
            else
                perform(session_.handle_response(*response));
            count_executed_lines();
        }
    }

private:
    void handle(const Line& line) {
        ++lines_;
        perform(session_.handle_line(line.text, line.arrival));
    }
    void handle(const Synced& /*event*/) { perform(session_.handle_synced()); }
    void handle(const EndOfInput& /*event*/) { perform(session_.finish()); }

    void count_executed_lines() {
        for (; lines_ > session_.pending_lines(); --lines_)
            unhandled_.remove();
    }
    void perform(Actions actions) {
        for (auto& action : actions) {
            if (const auto* line = std::get_if<std::string>(&action))
                transport_.write_line(*line);
            else if (auto* command = std::get_if<engine::Command>(&action))
                engine_.post(std::move(*command));
            else
                synchronise();
        }
    }
    void synchronise() {
        engine_.wait_until_ready();
        events_.send(Synced{});
    }

    engine::GeneralInterface& engine_;
    transport::Transport& transport_;
    Events& events_;
    transport::UnansweredLines& unhandled_;
    Session session_;
    std::size_t lines_ = 0;  ///< that count as unhandled
};

bool is_quit(std::string_view line) {
    return core::Words{line}.next() == "quit";
}

}  // namespace

void XboardDialect::run(transport::Transport& transport) {
    const InterruptsIgnored ignored;
    transport::UnansweredLines unhandled{max_unhandled_lines};
    Events events{engine_};
    std::thread session{[&] { SessionThread{engine_, transport, events, unhandled}.run(); }};
    bool quitting = false;
    while (auto line = transport.read_line()) {
        quitting = is_quit(*line);
        if (quitting)
            break;
        unhandled.add();
        events.send(Line{std::move(*line), std::chrono::steady_clock::now()});
    }
    if (!quitting) {
        unhandled.wait_until_none();
        events.send(EndOfInput{});
        engine_.wait_until_idle(eof_grace);
    }
    engine_.quit();
    session.join();
}

const DialectInfo dialect_info{
    "xboard", "xboard's protocol (CECP 2)",
    [](std::string_view first_line) { return core::Words{first_line}.peek() == "xboard"; },
    [](engine::GeneralInterface& engine, const DialectOptions& /*options*/)
        -> std::unique_ptr<Dialect> { return std::make_unique<XboardDialect>(engine); }};

}  // namespace uci::xboard
