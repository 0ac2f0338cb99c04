#include "uci/uci_dialect.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/options.hpp"
#include "engine/tasking.hpp"

#include "uci/uci_options.hpp"
#include "uci/uci_parser.hpp"
#include "uci/uci_writer.hpp"

namespace uci {

namespace {

/// How long a perft, a bench or an explanation may still run after the end of the input.
constexpr engine::Milliseconds eof_grace_report{60'000};
/// How long it may still run after a quit that a script has sent behind it. Other engines read no
/// quit before they are done.
constexpr engine::Milliseconds quit_grace_report{3'600'000};
/// The same for a search that ends by itself: a short one belongs to a script, a long one has lost
/// its client.
constexpr engine::Milliseconds eof_grace_search{3'000};

/// Whether the engine searches until it is stopped, after a command.
bool is_infinite_after(const UciCommand& command, bool before) {
    if (const auto* go = std::get_if<engine::Go>(&command))
        return !go->limits.ends_by_itself();
    if (std::holds_alternative<engine::Stop>(command)
        || std::holds_alternative<engine::PonderHit>(command))
        return false;
    return before;
}

/// Whether a name is that of an option. Others are not remembered, so the memory is bounded.
bool is_option(std::string_view name) {
    const auto wanted = core::lowercase_no_blanks(name);
    const auto options = engine::option_descriptions();
    return find_uci_option(name)
        || std::any_of(options.begin(), options.end(), [&](const auto& option) {
               return core::lowercase_no_blanks(option.name) == wanted;
           });
}

}  // namespace

/// Carries out a command.
class UciDialect::Executor {
public:
    explicit Executor(UciDialect& dialect) : dialect_{dialect} {}

    void operator()(Empty /*command*/) const {}
    void operator()(Identify /*command*/) const { dialect_.lines_.send(identification()); }
    void operator()(Help /*command*/) const { dialect_.lines_.send(help_text()); }
    void operator()(Debug command) const { dialect_.debug_ = command.on; }
    void operator()(IsReady /*command*/) const {
        dialect_.engine_.wait_until_ready();
        dialect_.lines_.send("readyok");
    }
    void operator()(Display command) const {
        using Detail = engine::SnapshotDetail;
        dialect_.engine_.ask(
            static_cast<std::uint64_t>(command.kind),
            command.kind == DisplayKind::evaluation ? Detail::contributions : Detail::game);
    }
    void operator()(engine::SetOption command) const { dialect_.set_option(std::move(command)); }
    void operator()(engine::Go command) const {
        dialect_.has_searched_ = true;
        dialect_.engine_.post(std::move(command));
    }
    void operator()(engine::Quit /*command*/) const {}
    template <typename EngineCommand>
    void operator()(EngineCommand command) const {
        dialect_.engine_.post(std::move(command));
    }

private:
    UciDialect& dialect_;
};

void UciDialect::run(transport::Transport& transport) {
    engine::Task writer;
    writer.start([&] { write_responses(transport); });
    bool quitting = false;
    while (const auto line = transport.read_line()) {
        const auto arrival = std::chrono::steady_clock::now();
        auto parsed = parse_command(*line, arrival);
        if (!may_continue())
            break;
        log(LogEntryKind::received, *line);
        if (debug_)
            warn("read: " + core::printable(*line));
        const bool is_empty = std::holds_alternative<Empty>(parsed.command);
        for (const auto& text : parsed.warnings)
            warn(is_empty ? text : text + "; it was left out");
        if (std::holds_alternative<engine::Quit>(parsed.command)) {
            if (!transport.is_interactive())
                engine_.wait_for_reports(quit_grace_report);
            engine_.stop();
            quitting = true;
            break;
        }
        if (std::holds_alternative<engine::SetGame>(parsed.command))
            position_ = *line;
        if (auto* go = std::get_if<engine::Go>(&parsed.command); go != nullptr && change_limits_)
            go->limits = change_limits_(go->limits);
        infinite_ = is_infinite_after(parsed.command, infinite_);
        std::visit(Executor{*this}, std::move(parsed.command));
    }
    if (mode_ != ExecutionMode::asynchronous)
        engine_.wait_until_idle();
    else if (!quitting)
        finish();
    engine_.quit();
    writer.wait();
}

/// Waits for the commands before, if each one is finished before the next. False if one of them was
/// refused and ends the conversation.
bool UciDialect::may_continue() {
    // An infinite search cannot be waited for.
    if (mode_ == ExecutionMode::asynchronous || infinite_)
        return true;
    engine_.wait_until_idle();
    return mode_ != ExecutionMode::strict || !has_refused();
}

/// Whether a command that has been carried out was refused.
bool UciDialect::has_refused() {
    if (lines_.send(std::nullopt)) {
        std::unique_lock lock{mutex_};
        mark_passed_.wait(lock, [&] { return std::exchange(mark_is_passed_, false); });
    }
    return refusal().has_value();
}

std::optional<std::string> UciDialect::refusal() const {
    const std::lock_guard lock{mutex_};
    return refusal_;
}

/// Scripts end with their input: lets what they started finish.
void UciDialect::finish() {
    if (!engine_.wait_for_reports(eof_grace_report) || infinite_)
        return;
    if (!engine_.wait_until_idle(eof_grace_search))
        warn(fmt::format("the search was stopped {} s after the end of the input",
                         eof_grace_search.count() / 1000));
}

void UciDialect::write_responses(transport::Transport& transport) {
    // A last report waits for the best move, so that the client wakes up once for both.
    std::string held_back;
    while (const auto response = engine_.next_response()) {
        const auto* marker = std::get_if<engine::Synced>(&*response);
        const auto text = marker ? lines_.receive(*marker) : std::optional{format(*response)};
        if (!text) {
            pass_mark();
            continue;
        }
        const auto* best = std::get_if<engine::BestMove>(&*response);
        if (best && best->aborted_at)
            log(LogEntryKind::note, fmt::format("{}{}", note::aborted, *best->aborted_at));
        // First, so that the log has the line before the client can answer it.
        log(LogEntryKind::sent, *text);
        const auto* refused = std::get_if<engine::Refused>(&*response);
        if (refused && mode_ == ExecutionMode::strict) {
            refuse(refused->reason);
            continue;
        }
        const auto* info = std::get_if<engine::Info>(&*response);
        if (info && info->best_move_follows)
            held_back += *text + '\n';
        else
            transport.write_line(std::exchange(held_back, {}) + *text);
    }
}

/// Tells has_refused() that all responses before its mark have been seen.
void UciDialect::pass_mark() {
    const std::lock_guard lock{mutex_};
    mark_is_passed_ = true;
    mark_passed_.notify_all();
}

void UciDialect::warn(const std::string& text) {
    lines_.send(info_string(text));
}

/// Tells the client why a command was refused; in strict mode it is kept for refusal() instead.
void UciDialect::refuse(const std::string& reason) {
    if (mode_ != ExecutionMode::strict) {
        warn(reason);
        return;
    }
    const std::lock_guard lock{mutex_};
    if (!refusal_)
        refusal_ = reason;
}

void UciDialect::log(LogEntryKind kind, std::string_view text) {
    if (const auto error = log_.write(kind, text))
        warn(error->reason);
}

void UciDialect::set_option(engine::SetOption command) {
    const auto option = find_uci_option(command.name);
    if (option == UciOption::debug_log_file) {
        set_debug_log_file(command.value);
        return;
    }
    remember(command);
    if (!option)
        engine_.post(std::move(command));
}

/// An empty path means no log.
void UciDialect::set_debug_log_file(const std::string& path) {
    if (path.empty() || path == "<empty>")
        log_.close();
    else if (const auto error = log_.open(path, log_header()))
        refuse(error->reason);
}

void UciDialect::remember(const engine::SetOption& command) {
    if (!is_option(command.name))
        return;
    const auto wanted = core::lowercase_no_blanks(command.name);
    const auto is_same = [&](const auto& option) {
        return core::lowercase_no_blanks(option.first) == wanted;
    };
    options_.erase(std::remove_if(options_.begin(), options_.end(), is_same), options_.end());
    options_.emplace_back(command.name, command.value);
}

/// What a replay needs to know when the conversation has already begun.
std::vector<std::string> UciDialect::log_header() const {
    using engine::GeneralInterface;
    std::vector<std::string> notes{fmt::format("{}{} {}", note::opened, GeneralInterface::name(),
                                               GeneralInterface::version())};
    for (const auto& [name, value] : options_)
        notes.push_back(
            fmt::format("{}setoption name {} value {}", note::earlier_command, name, value));
    if (!position_.empty())
        notes.push_back(std::string{note::earlier_command} + position_);
    if (has_searched_)
        notes.emplace_back(note::earlier_searches);
    return notes;
}

const DialectInfo uci_dialect_info{
    "uci", "the Universal Chess Interface",
    [](std::string_view first_line) {
        return is_uci_command(core::Words{first_line}.peek().value_or(""));
    },
    [](engine::GeneralInterface& engine, const DialectOptions& /*options*/)
        -> std::unique_ptr<Dialect> { return std::make_unique<UciDialect>(engine); }};

}  // namespace uci
