#include "uci/uci_dialect.hpp"

#include <thread>
#include <utility>

#include "core/text.hpp"

namespace uci {

namespace {

using uci_text::Debug;
using uci_text::Hello;
using uci_text::Help;
using uci_text::IsReady;
using uci_text::Nothing;
using uci_text::Show;

/// How long a perft or a bench may still run when the input has ended.
constexpr engine::Milliseconds patience_with_counts{60'000};
/// The same for a search that ends by itself: a short one is a script's, a long one has lost its
/// listener.
constexpr engine::Milliseconds patience_with_searches{3'000};

/// What each command means for the engine.
class Obey {
public:
    Obey(engine::GeneralInterface& engine, bool& debug) : engine_{engine}, debug_{debug} {}

    void operator()(Nothing /*command*/) const {}
    void operator()(Hello /*command*/) const { engine_.echo(uci_text::hello()); }
    void operator()(Help /*command*/) const { engine_.echo(uci_text::help()); }
    void operator()(Debug command) const { debug_ = command.on; }
    void operator()(IsReady /*command*/) const {
        engine_.wait_until_ready();
        engine_.echo("readyok");
    }
    void operator()(Show command) const { engine_.ask(std::move(command.what)); }
    void operator()(engine::SetOption command) const {
        engine_.set_option(std::move(command.name), std::move(command.value));
    }
    void operator()(engine::NewGame /*command*/) const { engine_.new_game(); }
    void operator()(engine::SetGame command) const {
        engine_.set_game(std::move(command.fen), std::move(command.moves));
    }
    void operator()(engine::Go command) const { engine_.go(std::move(command.limits)); }
    void operator()(engine::Perft command) const { engine_.perft(command.depth); }
    void operator()(engine::Bench command) const { engine_.bench(command.depth); }
    void operator()(engine::Stop /*command*/) const { engine_.stop(); }
    void operator()(engine::PonderHit /*command*/) const { engine_.ponder_hit(); }
    void operator()(engine::Quit /*command*/) const {}

private:
    engine::GeneralInterface& engine_;
    bool& debug_;
};

/// Whether the engine, after a command, will search until it is told to stop.
bool is_endless_after(const uci_text::Command& command, bool before) {
    if (const auto* go = std::get_if<engine::Go>(&command))
        return !go->limits.ends_by_itself();
    if (std::holds_alternative<engine::Stop>(command)
        || std::holds_alternative<engine::PonderHit>(command))
        return false;
    return before;
}

}  // namespace

void UciDialect::run(Transport& transport) {
    std::thread speaker{[&] {
        while (const auto response = engine_.next_response())
            transport.write_line(uci_text::write(*response));
    }};
    bool quitting = false;
    while (const auto line = transport.read_line()) {
        const auto arrival = std::chrono::steady_clock::now();
        auto reading = uci_text::read_command(*line, arrival);
        // What runs until it is stopped cannot be waited for.
        if (pace_ == Pace::one_after_the_other && !endless_)
            engine_.wait_until_idle();
        if (debug_)
            complain("read: " + core::printable(*line));
        for (const auto& text : reading.complaints)
            complain(text);
        if (std::holds_alternative<engine::Quit>(reading.command)) {
            engine_.stop();
            quitting = true;
            break;
        }
        endless_ = is_endless_after(reading.command, endless_);
        std::visit(Obey{engine_, debug_}, std::move(reading.command));
    }
    // A script that ends with its input gets what it asked for.
    if (!quitting) {
        engine_.wait_for_counts(patience_with_counts);
        if (!endless_)
            engine_.wait_until_idle(patience_with_searches);
    }
    if (pace_ == Pace::one_after_the_other)
        engine_.wait_until_idle();
    engine_.quit();
    speaker.join();
}

void UciDialect::complain(const std::string& text) {
    engine_.echo(uci_text::info_string(text));
}

}  // namespace uci
