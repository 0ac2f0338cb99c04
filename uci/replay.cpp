#include "uci/replay.hpp"

#include <cstdio>
#include <deque>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/general_interface.hpp"

#include "uci/command_line.hpp"
#include "uci/logged_conversation.hpp"
#include "uci/uci_dialect.hpp"
#include "uci/uci_options.hpp"
#include "uci/uci_parser.hpp"

namespace uci {

namespace {

constexpr const char* explanation =
    "LOG is a file that the UCI option Debug Log File has written. Each conversation in it is "
    "held\n"
    "again with a new engine. A search that the clock or a stop ended is repeated with as many "
    "nodes,\n"
    "or as deep, as it was then; times and speeds are not compared. Searches with several threads, "
    "and\n"
    "what follows them up to ucinewgame, cannot be repeated exactly: only their best moves are "
    "counted.";

/// The results over all conversations of a log.
struct Totals {
    int searches = 0;
    int different = 0;
    int inexact = 0;             ///< searches that cannot be repeated exactly
    int inexact_same_moves = 0;  ///< those of them that have the same best move
    int messages = 0;            ///< that are missing or new
};

/// Follows the commands and says whether the next search can be repeated exactly.
class Repeatability {
public:
    explicit Repeatability(bool has_unknown_past) : exact_{!has_unknown_past} {}

    void follow(const UciCommand& command) {
        if (const auto* option = std::get_if<engine::SetOption>(&command)) {
            if (core::lowercase_no_blanks(option->name) == "threads")
                threads_ = core::read_integer(option->value).value_or(threads_);
        }
        else if (std::holds_alternative<engine::NewGame>(command)) {
            exact_ = true;
        }
        else if (std::holds_alternative<engine::Go>(command) && threads_ != 1) {
            exact_ = false;
        }
    }
    bool is_exact() const { return exact_; }

private:
    std::int64_t threads_ = 1;
    bool exact_;
};

/// A client that sends what a log says was received, and compares the answers. One thread reads and
/// another one writes, as with any transport; what they share is ready before a search begins.
class Replayer : public transport::Transport {
public:
    Replayer(const LoggedConversation& log, std::string file, bool verbose, Totals& totals)
        : log_{log},
          file_{std::move(file)},
          verbose_{verbose},
          totals_{totals},
          is_preparing_{!log.earlier.empty()},
          is_exact_(log.sent.searches().size()) {
        Repeatability repeatability{log.has_earlier_searches};
        std::size_t search = 0;
        for (const auto& line : log.earlier)
            add(line, repeatability);
        if (is_preparing_)
            lines_.emplace_back("isready");
        for (const auto& line : log.received) {
            if (add(line.text, repeatability))
                is_exact_[search++] = repeatability.is_exact();
        }
        for (const auto& logged : log.sent.searches())
            repeated_.add_go(logged.go);
    }

    std::optional<std::string> read_line() override {
        if (lines_.empty())
            return std::nullopt;
        auto line = std::move(lines_.front());
        lines_.pop_front();
        return line;
    }

    void write_line(std::string_view text) override {
        for (std::size_t start = 0; start <= text.size();) {
            const auto end = std::min(text.find('\n', start), text.size());
            receive(text.substr(start, end - start));
            start = end + 1;
        }
    }

    /// The limits of the next search.
    engine::Limits limits(const engine::Limits& limits) {
        return limits_to_repeat(log_.sent.searches()[next_search_++], limits);
    }

    /// Compares the lines that belong to no search. Only after the conversation.
    void compare_messages() {
        const auto& then = log_.sent.other_lines();
        const auto& now = repeated_.other_lines();
        for (const auto& line : missing_messages(then, now)) {
            if (!log_.settled || line.number < *log_.settled)
                continue;
            fmt::print("{}:{}: not sent now: {}\n", file_, line.number, core::printable(line.text));
            ++totals_.messages;
        }
        for (const auto& line : missing_messages(now, then)) {
            fmt::print("{}: only sent now: {}\n", file_, core::printable(line.text));
            ++totals_.messages;
        }
    }

private:
    /// Adds a line to those that the engine will receive, unless it would end a search or open a
    /// log. Returns whether it begins a search.
    bool add(const std::string& line, Repeatability& repeatability) {
        const auto command = parse_command(line, {}).command;
        repeatability.follow(command);
        const auto* option = std::get_if<engine::SetOption>(&command);
        // The repeated searches end by themselves, and nothing is logged.
        const bool is_dropped =
            std::holds_alternative<engine::Stop>(command)
            || std::holds_alternative<engine::PonderHit>(command)
            || (option != nullptr && find_uci_option(option->name) == UciOption::debug_log_file);
        if (!is_dropped)
            lines_.push_back(line);
        return std::holds_alternative<engine::Go>(command);
    }

    void receive(std::string_view line) {
        if (is_preparing_) {
            is_preparing_ = line != "readyok";
            return;
        }
        if (const auto search = repeated_.add_line({0, std::string{line}}))
            compare(*search);
    }

    void compare(std::size_t index) {
        const auto& then = log_.sent.searches()[index];
        const auto& now = repeated_.searches()[index];
        ++totals_.searches;
        if (is_exact_[index]) {
            const auto difference = first_difference(then, now);
            totals_.different += difference ? 1 : 0;
            print(then, now, difference);
            return;
        }
        const bool is_same = then.best_move && then.best_move->text == now.best_move->text;
        ++totals_.inexact;
        totals_.inexact_same_moves += is_same ? 1 : 0;
        print(then, now, std::nullopt);
    }

    void print(const LoggedSearch& then,
               const LoggedSearch& now,
               const std::optional<Difference>& difference) const {
        if (difference) {
            const auto& logged = difference->logged;
            const auto number = logged ? logged->number : then.go.number;
            fmt::print("{}:{}: another answer to: {}\n  then  {}\n  now   {}\n", file_, number,
                       core::printable(then.go.text), logged ? logged->text : "nothing",
                       difference->repeated.empty() ? "nothing" : difference->repeated);
        }
        else if (verbose_) {
            fmt::print("{}:{}: {}: {}\n", file_, then.go.number, core::printable(then.go.text),
                       now.best_move->text);
        }
        static_cast<void>(std::fflush(stdout));
    }

    const LoggedConversation& log_;
    std::string file_;
    bool verbose_;
    Totals& totals_;
    std::deque<std::string> lines_;
    std::size_t next_search_ = 0;
    bool is_preparing_;  ///< until all commands before the log are handled
    std::vector<bool> is_exact_;
    EngineOutput repeated_;
};

void replay(const LoggedConversation& log, const std::string& file, bool verbose, Totals& totals) {
    Replayer replayer{log, file, verbose, totals};
    engine::GeneralInterface engine;
    UciDialect dialect{engine, ExecutionMode::sequential};
    dialect.change_limits([&](const engine::Limits& limits) { return replayer.limits(limits); });
    dialect.run(replayer);
    replayer.compare_messages();
}

std::string summary(const Totals& totals) {
    const auto exact = totals.searches - totals.inexact;
    auto text =
        fmt::format("{} of {} searches gave the same answer", exact - totals.different, exact);
    if (totals.inexact > 0)
        text += fmt::format("; of {} that cannot be repeated exactly, {} gave the same best move",
                            totals.inexact, totals.inexact_same_moves);
    return text + fmt::format("; {} other lines differ", totals.messages);
}

}  // namespace

int replay(std::span<const std::string> arguments) {
    std::vector<std::string> files;
    bool verbose = false;
    CommandLine line{"replay", "Plays a debug log back and tells where the answers differ."};
    line.words("LOG", files, "The log");
    line.flag("--verbose", verbose, "Also tell of the searches that give the same answer");
    line.footer(explanation);
    if (const auto status = line.parse(arguments))
        return *status;
    if (files.size() != 1)
        return line.refuse("LOG must be one file");
    const auto& file = files.front();
    std::ifstream input{file, std::ios::binary};
    if (!input)
        return report_failure("replay", "cannot read " + core::quoted(file));
    const auto log = read_debug_log(input);
    if (log.conversations.empty())
        return report_failure("replay", core::quoted(file) + " is not a debug log of Parley");
    if (!log.other_lines.empty())
        fmt::print(stderr, "{}:{}: not an entry of a debug log; lines left out: {}\n", file,
                   log.other_lines.front(), log.other_lines.size());
    Totals totals;
    for (const auto& conversation : log.conversations)
        replay(conversation, file, verbose, totals);
    fmt::print("{}\n", summary(totals));
    const bool is_same = totals.different == 0 && totals.messages == 0;
    return is_same ? exit_success : exit_failure;
}

}  // namespace uci
