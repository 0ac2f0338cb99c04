#include "uci/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

#include "uci/util/log.hpp"

namespace uci {

namespace {

/// The environment variable of an option: PARLEY_LOG_LEVEL for --log-level.
std::string environment_name(const CLI::Option& option) {
    std::string name = option.get_single_name();
    std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
        return letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
    });
    return "PARLEY_" + name;
}

/// Whether the arguments name an option.
bool is_given(const CLI::Option& option, std::span<const std::string> arguments) {
    const auto name = option.get_name();
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
        return argument.substr(0, argument.find('=')) == name;
    });
}

/// What CLI11 calls to check a value.
std::function<std::string(const std::string&)> as_validator(TextCheck check) {
    return [check](const std::string& text) {
        const auto error = check(text);
        return error ? error->reason : std::string{};
    };
}

/// Adds an argument to a list that is read from its end. "--name=" becomes two, the name and an
/// empty value: CLI11 would take the argument behind it for its value.
void add_reversed(const std::string& argument, std::vector<std::string>& reversed) {
    const bool is_empty_value =
        argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    if (is_empty_value)
        reversed.emplace_back();
    reversed.push_back(is_empty_value ? argument.substr(0, argument.size() - 1) : argument);
}

/// Writes --help with our own text for the arguments that are no options: CLI11 would put all of
/// them in brackets and dots behind them.
class HelpFormatter : public CLI::Formatter {
public:
    void set_usage(std::string usage) { usage_ = std::move(usage); }

    std::string make_usage(const CLI::App* /*app*/, std::string name) const override {
        return fmt::format("Usage: {} [OPTIONS]{}{}\n", name, usage_.empty() ? "" : " ", usage_);
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        return option->get_positional() ? "" : CLI::Formatter::make_option_opts(option);
    }

private:
    std::string usage_;
};

/// "a, b or c".
std::string joined_by_or(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_last = i + 1 == words.size();
        text += (i == 0 ? "" : is_last ? " or " : ", ") + words[i];
    }
    return text;
}

/// Edit distance: insertions, deletions, substitutions and swaps of neighbours
/// (Damerau-Levenshtein, optimal string alignment).
std::size_t edit_distance(std::string_view left, std::string_view right) {
    std::vector rows(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t j = 0; j <= right.size(); ++j) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            const std::size_t changed = left[i - 1] == right[j - 1] ? 0 : 1;
            rows[i][j] =
                std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + changed});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    }
    return rows[left.size()][right.size()];
}

}  // namespace

int status_with_output(std::string_view command, int status) {
    return output_is_written() ? status : report_failure(command, "the output cannot be written");
}

bool output_is_written() {
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

struct CommandLine::Implementation {
    explicit Implementation(std::string name, std::string summary)
        : command{std::move(name)},
          app{std::move(summary), "parley " + command} {
        app.formatter(formatter);
    }

    /// Lets the last value of an option count, and gives it its environment variable.
    CLI::Option* add(CLI::Option* option) {
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        const bool positional = option->get_lnames().empty();
        return positional ? option : option->envname(environment_name(*option));
    }

    /// The arguments in the order that CLI11 wants, from the last to the first. The environment
    /// comes before the command line, which overrides it; CLI11 itself would let --config override
    /// it.
    std::vector<std::string> reversed_with_environment(
        std::span<const std::string> arguments) const {
        std::vector<std::string> reversed;
        std::for_each(arguments.rbegin(), arguments.rend(),
                      [&](const std::string& argument) { add_reversed(argument, reversed); });
        for (const auto* option : app.get_options()) {
            const auto name = option->get_envname();
            // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
            const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
            const bool adds_up =
                option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
            if (value != nullptr && *value != '\0' && !(adds_up && is_given(*option, arguments)))
                reversed.push_back(option->get_name() + "=" + value);
        }
        return reversed;
    }

    std::string command;
    CLI::App app;
    std::shared_ptr<HelpFormatter> formatter = std::make_shared<HelpFormatter>();
};

CommandLine::CommandLine(std::string command, std::string summary)
    : implementation_{std::make_unique<Implementation>(std::move(command), std::move(summary))} {
    auto& app = implementation_->app;
    // On Windows too /x is a path, not an option.
    app.allow_windows_style_options(false);
    app.set_config("--config", "", "Read options from a file in TOML or INI format")
        ->type_name("FILE");
    app.allow_config_extras(CLI::config_extras_mode::error);
    app.allow_extras();  // reported by parse() in our words
}

CommandLine::~CommandLine() = default;

void CommandLine::flag(const std::string& names, bool& target, const std::string& help) {
    implementation_->add(implementation_->app.add_flag(names, target, help));
}

void CommandLine::text(const std::string& names,
                       std::string& target,
                       const std::string& type,
                       const std::string& help,
                       TextCheck check) {
    auto* option = implementation_->add(implementation_->app.add_option(names, target, help));
    option->type_name(type);
    if (check != nullptr)
        option->check(as_validator(check));
    if (!target.empty())
        option->default_str(target);
}

void CommandLine::texts(const std::string& names,
                        std::vector<std::string>& targets,
                        const std::string& type,
                        const std::string& help,
                        TextCheck check) {
    auto* option = implementation_->add(implementation_->app.add_option(names, targets, help));
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    // One value after each name, so that what follows is not taken for another one.
    option->delimiter(',')->type_name(type)->expected(1)->allow_extra_args(false);
    option->check(as_validator(check));
}

void CommandLine::add_number(const NumberOption& number, std::function<void(std::int64_t)> set) {
    const auto name = number.names.substr(number.names.find(',') + 1);
    const auto read = [name, least = number.least, most = number.most,
                       set = std::move(set)](const std::string& text) {
        const auto value = core::read_integer(text);
        if (!value || *value < least || *value > most)
            throw CLI::ValidationError{name,
                                       fmt::format("'{}' must be an integer between {} and {}",
                                                   core::printable(text), least, most)};
        set(*value);
    };
    auto* option = implementation_->add(
        implementation_->app.add_option_function<std::string>(number.names, read, number.help));
    option->type_name("N");
    if (number.names.starts_with('-'))
        option->default_str(number.default_text);
    else
        implementation_->formatter->set_usage("[" + number.names + "]");
}

void CommandLine::words(const std::string& name,
                        std::vector<std::string>& target,
                        const std::string& help,
                        const std::string& usage) {
    implementation_->app.add_option(name, target, help)->type_name("");
    implementation_->formatter->set_usage(usage.empty() ? name : usage);
}

void CommandLine::choice(const std::string& names,
                         const std::vector<std::string>& values,
                         const std::string& default_value,
                         const std::string& help,
                         std::function<void(std::string_view)> set) {
    const auto read = [names, values, set = std::move(set)](const std::string& text) {
        if (std::find(values.begin(), values.end(), text) == values.end())
            throw CLI::ValidationError{
                names, fmt::format("{} must be {}", core::quoted(text), joined_by_or(values))};
        set(text);
    };
    auto* option = implementation_->app.add_option_function<std::string>(
        names, read, help + ": " + joined_by_or(values));
    implementation_->add(option)->type_name("NAME")->default_str(default_value);
}

void CommandLine::footer(const std::string& text) {
    implementation_->app.footer(text);
}

std::optional<int> CommandLine::parse(std::span<const std::string> arguments) {
    auto& app = implementation_->app;
    if (arguments.size() == 1 && arguments.front() == help_as_json) {
        print_help_as_json();
        return status_with_output(implementation_->command, exit_success);
    }
    try {
        app.parse(implementation_->reversed_with_environment(arguments));
    }
    catch (const CLI::CallForHelp&) {
        static_cast<void>(std::fputs(app.help().c_str(), stdout));
        return status_with_output(implementation_->command, exit_success);
    }
    catch (const CLI::ArgumentMismatch& error) {
        const std::string text = error.what();
        return refuse(text.substr(0, text.find(':')) + " needs a value");
    }
    catch (const CLI::ParseError& error) {
        return refuse(error.what());
    }
    if (const auto extras = app.remaining(); !extras.empty()) {
        return refuse(unexpected_message(extras.front()));
    }
    return std::nullopt;
}

void CommandLine::print_help_as_json() const {
    const auto& app = implementation_->app;
    auto options = nlohmann::ordered_json::array();
    for (const auto* option : app.get_options()) {
        auto names = nlohmann::ordered_json::array();
        for (const auto& name : option->get_snames())
            names.push_back("-" + name);
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
        const bool is_flag = option->get_type_size() == 0;
        options.push_back({{"names", names},
                           {"value", is_flag ? "" : option->get_type_name()},
                           {"positional", names.empty() ? option->get_name(true) : ""},
                           {"default", option->get_default_str()},
                           {"environment", option->get_envname()},
                           {"help", option->get_description()}});
    }
    const nlohmann::ordered_json help{{"command", implementation_->command},
                                      {"summary", app.get_description()},
                                      {"options", options},
                                      {"footer", app.get_footer()}};
    static_cast<void>(std::puts(help.dump().c_str()));
}

int CommandLine::refuse(const std::string& message) const {
    const auto text =
        fmt::format("parley: {}\nTry 'parley {} --help'.\n", message, implementation_->command);
    static_cast<void>(std::fputs(text.c_str(), stderr));
    return exit_usage;
}

std::string CommandLine::unexpected_message(const std::string& argument) const {
    if (!argument.starts_with('-'))
        return "unexpected argument " + core::quoted(argument);
    std::vector<std::string> names;
    for (const auto* option : implementation_->app.get_options()) {
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return unknown_message("option", argument.substr(0, argument.find('=')), names);
}

void add_engine_options(CommandLine& line, EngineSettings& settings) {
    line.number("--threads", settings.threads, 1, 1'024, "Search threads");
    line.number("--hash", settings.hash, 1, 1'048'576, "Transposition table size in MB");
    add_syzygy_option(line, settings.syzygy_path);
}

void add_syzygy_option(CommandLine& line, std::string& path) {
    line.text("--syzygy", path, "PATH",
              "Folders of Syzygy endgame tables, with ';' between them, or ':' except on Windows");
}

core::Result<std::shared_ptr<const engine::tablebase::Tablebases>> open_tablebases(
    const std::string& path) {
    if (path.empty())
        return std::shared_ptr<const engine::tablebase::Tablebases>{};
    auto tablebases = engine::tablebase::Tablebases::open(path);
    if (!tablebases)
        return core::Error{"--syzygy: " + tablebases.reason()};
    return tablebases;
}

void add_log_options(CommandLine& line, util::LogSettings& settings) {
    using util::LogLevel;
    // The log's levels by number, as LogLevel has them.
    static const std::vector<std::string> levels{"none", "error", "info", "debug"};
    line.choice("--log-level", levels, "info", "What to log", [](std::string_view name) {
        const auto level = std::find(levels.begin(), levels.end(), name) - levels.begin();
        util::set_log_level(static_cast<LogLevel>(level));
    });
    line.choice("--log-format", {"text", "json"}, "text", "How to log, one event on each line",
                [&](std::string_view name) {
                    settings.format =
                        name == "json" ? util::LogFormat::json : util::LogFormat::text;
                });
    line.text("--log-file", settings.file, "FILE",
              "Where to log, appended; without it on standard error");
}

void add_server_options(CommandLine& line,
                        ServerSettings& settings,
                        int least_port,
                        const ServerOptionChecks& checks) {
    line.number("-p,--port", settings.port, least_port, 65'535,
                least_port == 0 ? "Port to listen on; 0 takes a free one"
                                : "Port to listen on; without it standard input and output");
    line.text("--bind", settings.addresses, "ADDRESSES",
              "Addresses to listen on, separated by commas: 0.0.0.0,:: for all. "
              "Without it 127.0.0.1,::1, which only this machine can reach",
              checks.addresses);
    line.texts("--origin", settings.origins, "URL",
               "Where browsers find this server, as https://chess.example, if not by localhost or "
               "an IP address; may be repeated",
               checks.origin);
    if (checks.proxy != nullptr)
        line.texts(
            "--trust-proxy", settings.proxies, "ADDRESS",
            "A reverse proxy, or a network of them such as 10.0.0.0/8, whose X-Forwarded-For and "
            "X-Forwarded-Proto are believed; may be repeated",
            checks.proxy);
    add_log_options(line, settings.log);
    line.text("--admin", settings.admin, "ADDRESS",
              "Where to serve /healthz, /readyz, /metrics and /games to whoever runs the server: "
              "127.0.0.1:9090, or a UNIX socket as unix:PATH; without it nowhere",
              checks.admin);
    line.number("--drain-time", settings.drain_seconds, 0, 86'400,
                "Seconds that clients may go on after SIGTERM; a second signal ends them at once");
    add_engine_options(line, settings.engine);
    if (checks.queue != nullptr)
        line.text(
            "--queue", settings.queue, "URL",
            "Let the workers ('parley worker') of this Redis search: "
            "redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], with TLS rediss://...[?ca=FILE]. "
            "Without them this process does",
            checks.queue);
}

std::optional<core::Error> apply(const EngineSettings& settings, engine::GeneralInterface& engine) {
    engine.set_option("Threads", std::to_string(settings.threads));
    engine.set_option("Hash", std::to_string(settings.hash));
    if (!settings.syzygy_path.empty()) {
        // The engine's own error would name its option, SyzygyPath.
        if (const auto tablebases = open_tablebases(settings.syzygy_path); !tablebases)
            return tablebases.error();
        engine.set_option("SyzygyPath", settings.syzygy_path);
    }
    engine.wait_until_idle();
    // Everything up to this marker answers the commands above.
    engine.sync(0);
    std::optional<core::Error> error;
    while (const auto response = engine.next_response()) {
        if (std::holds_alternative<engine::Synced>(*response))
            break;
        const auto* refused = std::get_if<engine::Refused>(&*response);
        if (refused && !error)
            error = core::Error{refused->reason};
        if (const auto* notice = std::get_if<engine::Notice>(&*response))
            util::log_error(notice->text);
    }
    return error;
}

int report_failure(std::string_view command, std::string_view reason) {
    fmt::print(stderr, "parley {}: {}\n", command, reason);
    return exit_failure;
}

int log_failure(const std::string& reason) {
    util::log_error(reason);
    return exit_failure;
}

std::optional<std::string> nearest(std::string_view text, std::span<const std::string> candidates) {
    std::optional<std::string> best;
    if (text.size() < 2 || text.size() > 40)
        return std::nullopt;
    std::size_t best_distance = std::max<std::size_t>(1, text.size() / 3) + 1;
    for (const auto& candidate : candidates) {
        const auto distance = edit_distance(text, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string unknown_message(std::string_view kind,
                            std::string_view text,
                            std::span<const std::string> candidates) {
    auto message = fmt::format("unknown {} '{}'", kind, core::printable(text));
    if (const auto meant = nearest(text, candidates))
        message += fmt::format("; did you mean '{}'?", *meant);
    return message;
}

}  // namespace uci
