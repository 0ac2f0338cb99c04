#include "uci/uci_dialect.hpp"

#include <thread>
#include <utility>

#include "core/text.hpp"

#include "uci/uci_parser.hpp"
#include "uci/uci_writer.hpp"

namespace uci {

namespace {

/// How long a perft or a bench may still run after the end of the input.
constexpr engine::Milliseconds eof_grace_perft{60'000};
/// The same for a search that ends by itself: a short one belongs to a script, a long one has lost
/// its client.
constexpr engine::Milliseconds eof_grace_search{3'000};

/// Carries out a command.
class CommandExecutor {
public:
    CommandExecutor(engine::GeneralInterface& engine,
                    server::SyncedValues<std::string>& lines,
                    bool& debug)
        : engine_{engine},
          lines_{lines},
          debug_{debug} {}

    void operator()(Empty /*command*/) const {}
    void operator()(Identify /*command*/) const { lines_.send(identification()); }
    void operator()(Help /*command*/) const { lines_.send(help_text()); }
    void operator()(Debug command) const { debug_ = command.on; }
    void operator()(IsReady /*command*/) const {
        engine_.wait_until_ready();
        lines_.send("readyok");
    }
    void operator()(Display command) const {
        using Detail = engine::SnapshotDetail;
        engine_.ask(static_cast<std::uint64_t>(command.view),
                    command.view == View::evaluation ? Detail::contributions : Detail::game);
    }
    void operator()(engine::Quit /*command*/) const {}
    template <typename EngineCommand>
    void operator()(EngineCommand command) const {
        engine_.post(std::move(command));
    }

private:
    engine::GeneralInterface& engine_;
    server::SyncedValues<std::string>& lines_;
    bool& debug_;
};

/// Whether the engine searches until it is stopped, after a command.
bool is_infinite_after(const UciCommand& command, bool before) {
    if (const auto* go = std::get_if<engine::Go>(&command))
        return !go->limits.ends_by_itself();
    if (std::holds_alternative<engine::Stop>(command)
        || std::holds_alternative<engine::PonderHit>(command))
        return false;
    return before;
}

}  // namespace

void UciDialect::run(Transport& transport) {
    std::thread writer{[&] {
        while (const auto response = engine_.next_response()) {
            const auto* marker = std::get_if<engine::Synced>(&*response);
            transport.write_line(marker ? lines_.take(*marker) : format(*response));
        }
    }};
    bool quitting = false;
    while (const auto line = transport.read_line()) {
        const auto arrival = std::chrono::steady_clock::now();
        auto parsed = parse_command(*line, arrival);
        // An infinite search cannot be waited for.
        if (mode_ == ExecutionMode::sequential && !infinite_)
            engine_.wait_until_idle();
        if (debug_)
            warn("read: " + core::printable(*line));
        for (const auto& text : parsed.warnings)
            warn(text);
        if (std::holds_alternative<engine::Quit>(parsed.command)) {
            engine_.stop();
            quitting = true;
            break;
        }
        infinite_ = is_infinite_after(parsed.command, infinite_);
        std::visit(CommandExecutor{engine_, lines_, debug_}, std::move(parsed.command));
    }
    // Scripts end with their input: let what they started finish.
    if (!quitting) {
        engine_.wait_for_perft_and_bench(eof_grace_perft);
        if (!infinite_)
            engine_.wait_until_idle(eof_grace_search);
    }
    if (mode_ == ExecutionMode::sequential)
        engine_.wait_until_idle();
    engine_.quit();
    writer.join();
}

void UciDialect::warn(const std::string& text) {
    lines_.send(info_string(text));
}

const DialectInfo uci_dialect_info{
    "uci", "the Universal Chess Interface",
    [](std::string_view first_line) {
        return is_uci_command(core::Words{first_line}.peek().value_or(""));
    },
    [](engine::GeneralInterface& engine,
       const DialectOptions& options) -> std::unique_ptr<Dialect> {
        return std::make_unique<UciDialect>(
            engine, options.sequential ? ExecutionMode::sequential : ExecutionMode::asynchronous);
    }};

}  // namespace uci
