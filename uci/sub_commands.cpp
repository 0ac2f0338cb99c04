#include "uci/sub_commands.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/general_interface.hpp"
#include "engine/options.hpp"

#include "uci/argument_commands.hpp"
#include "uci/chenserver/dialect.hpp"
#include "uci/chezz/translate.hpp"
#include "uci/command_line.hpp"
#include "uci/commands/annotate.hpp"
#include "uci/commands/book.hpp"
#include "uci/commands/datagen.hpp"
#include "uci/commands/doctor.hpp"
#include "uci/commands/epd.hpp"
#include "uci/commands/explain.hpp"
#include "uci/commands/genfens.hpp"
#include "uci/commands/queue.hpp"
#include "uci/commands/review/review_json.hpp"
#include "uci/commands/review/review_page.hpp"
#include "uci/commands/tb.hpp"
#include "uci/commands/worker.hpp"
#include "uci/dialects.hpp"
#include "uci/json/dialect.hpp"
#include "uci/mcp/dialect.hpp"
#include "uci/replay.hpp"
#include "uci/transport/arguments_transport.hpp"
#include "uci/transport/stdio_transport.hpp"
#include "uci/uci_dialect.hpp"
#include "uci/uci_options.hpp"
#include "uci/util/log.hpp"

#if defined(PARLEY_SERVER)
#include "uci/chenserver/server.hpp"
#include "uci/chezz/http/server.hpp"
#include "uci/json/web/server.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/origin.hpp"
#include "uci/remote/connect.hpp"
#include "uci/remote/listen.hpp"
#include "uci/server/admin_server.hpp"
#endif

namespace uci {

namespace {

using Arguments = std::span<const std::string>;

int converse(const DialectInfo& dialect, transport::Transport& transport) {
    engine::GeneralInterface engine;
    dialect.make(engine, {})->run(transport);
    return exit_success;
}

/// Gives back a first line before the lines of another transport.
class PrefixedTransport : public transport::Transport {
public:
    PrefixedTransport(transport::Transport& transport, std::string first_line)
        : transport_{transport},
          first_line_{std::move(first_line)} {}

    std::optional<std::string> read_line() override {
        return first_line_ ? std::exchange(first_line_, std::nullopt) : transport_.read_line();
    }
    void write_line(std::string_view line) override { transport_.write_line(line); }
    bool is_interactive() const override { return transport_.is_interactive(); }

private:
    transport::Transport& transport_;
    std::optional<std::string> first_line_;
};

/// As if "uci" were the first line of the input.
int run_uci(Arguments arguments) {
    CommandLine line{"uci",
                     "Speaks UCI, the Universal Chess Interface, on standard input and output."};
    if (const auto status = line.parse(arguments))
        return *status;
    transport::StdioTransport stdio;
    PrefixedTransport transport{stdio, "uci"};
    return converse(uci_dialect_info, transport);
}

int run_json(Arguments arguments) {
    DialectOptions options;
    EngineSettings settings;
    settings.hash = engine::Options{}.hash;  // as without this command, when "{" is the first byte
    CommandLine line{"json",
                     "Speaks JSON messages on standard input and output, one on each line."};
    line.flag("--en-passant-catpure", options.write_misspelt_catpure,
              "Also write the misspelt key en_passant_catpure in events, for older clients");
    add_engine_options(line, settings);
    if (const auto status = line.parse(arguments))
        return *status;
    engine::GeneralInterface engine;
    if (const auto error = apply(settings, engine)) {
        util::log_error(error->reason);
        return exit_failure;
    }
    const auto tablebases = open_tablebases(settings.syzygy_path);
    if (!tablebases) {
        util::log_error(tablebases.reason());
        return exit_failure;
    }
    options.tablebases = *tablebases;
    transport::StdioTransport transport;
    json::dialect_info.make(engine, options)->run(transport);
    return exit_success;
}

int run_mcp(Arguments arguments) {
    EngineSettings settings;
    CommandLine line{"mcp",
                     "Speaks the Model Context Protocol on standard input and output, so that "
                     "programs with a language model can use Parley as a tool."};
    add_engine_options(line, settings);
    if (const auto status = line.parse(arguments))
        return *status;
    engine::GeneralInterface engine;
    if (const auto error = apply(settings, engine)) {
        util::log_error(error->reason);
        return exit_failure;
    }
    transport::StdioTransport transport;
    mcp::dialect_info.make(engine, {})->run(transport);
    return exit_success;
}

int run_bench(Arguments arguments) {
    int depth = 0;
    CommandLine line{"bench", "Searches fixed positions and prints the node count and the speed."};
    line.number("DEPTH", depth, 1, 60, "Search depth; without it that of the version's signature");
    if (const auto status = line.parse(arguments))
        return *status;
    const std::array command{depth == 0 ? std::string{"bench"} : fmt::format("bench {}", depth)};
    return run_uci_commands(command);
}

int run_doctor(Arguments arguments) {
    std::vector<std::string> text_options;
    for (const auto& description : uci_option_descriptions())
        text_options.emplace_back(description.name);
    return commands::doctor(arguments, std::move(text_options));
}

#if defined(PARLEY_SERVER)

/// An option that only a server needs and that is set; nothing if none is.
std::optional<std::string_view> server_option(const chenserver::ServerOptions& options) {
    const auto& settings = options.settings;
    const std::array set{
        std::pair{!settings.addresses.empty(), "--bind"},
        std::pair{!settings.origins.empty(), "--origin"},
        std::pair{!settings.admin.empty(), "--admin"},
        std::pair{settings.drain_seconds != 0, "--drain-time"},
        std::pair{settings.log.format != util::LogFormat::text, "--log-format"},
        std::pair{!settings.log.file.empty(), "--log-file"},
        std::pair{options.no_exit, "--no-exit"},
        std::pair{options.allow_exit, "--allow-exit"},
    };
    const auto* const found =
        std::find_if(set.begin(), set.end(), [](const auto& option) { return option.first; });
    return found == set.end() ? std::nullopt : std::optional<std::string_view>{found->second};
}

int run_chenserver(Arguments arguments) {
    chenserver::ServerOptions options;
    CommandLine line{
        "chenserver",
        "Speaks ChenServer's commands on standard input and output, or with --port over "
        "TCP and HTTP."};
    add_server_options(
        line, options.settings, 1,
        {net::check_addresses, net::check_origin, nullptr, server::check_admin_address});
    line.flag("--no-exit", options.no_exit, "Clients cannot end the program");
    line.flag("--allow-exit", options.allow_exit,
              "Clients can end the program although other machines reach it (--bind)");
    if (const auto status = line.parse(arguments))
        return *status;
    if (options.settings.port != 0)
        return chenserver::run_server(options);
    if (const auto option = server_option(options))
        return line.refuse(fmt::format("{} needs --port", *option));
    engine::GeneralInterface engine;
    if (const auto error = apply(options.settings.engine, engine)) {
        util::log_error(error->reason);
        return exit_failure;
    }
    transport::StdioTransport transport;
    chenserver::dialect_info.make(engine, {})->run(transport);
    return exit_success;
}

int run_serve(Arguments arguments) {
    return json::web::serve(
        arguments, [](const auto& game, const auto& positions, const auto& review, auto language) {
            return json::web::ReviewDocuments{
                commands::review_page(game, positions, review, language),
                commands::review_as_json(game, positions, review, language)};
        });
}
constexpr auto run_chezz = chezz::http::run_chezz;

int run_listen(Arguments arguments) {
    return remote::listen(arguments, uci_dialect_info);
}

int run_connect(Arguments arguments) {
    return remote::connect(arguments, uci_dialect_info);
}

#else

int run_chenserver(Arguments arguments) {
    CommandLine line{"chenserver", "Speaks ChenServer's commands on standard input and output."};
    if (const auto status = line.parse(arguments))
        return *status;
    transport::StdioTransport transport;
    return converse(chenserver::dialect_info, transport);
}

int refuse_server(Arguments /*arguments*/) {
    fmt::print(stderr, "parley: this program was built without its servers (PARLEY_SERVER=OFF)\n");
    return exit_failure;
}
constexpr auto run_serve = refuse_server;
constexpr auto run_chezz = refuse_server;
constexpr auto run_listen = refuse_server;
constexpr auto run_connect = refuse_server;

#endif

const std::array table{
    SubCommand{"uci", "Speak UCI on standard input and output", run_uci},
    SubCommand{"chenserver", "Speak ChenServer's commands, with --port over TCP and HTTP",
               run_chenserver},
    SubCommand{"json", "Speak JSON messages on standard input and output", run_json},
    SubCommand{"mcp", "Speak the Model Context Protocol, for programs with a language model",
               run_mcp},
    SubCommand{"serve", "Serve a page to play on, and JSON messages over HTTP and WebSocket",
               run_serve},
    SubCommand{"chezz", "Serve chezz's games over HTTP and WebSocket", run_chezz},
    SubCommand{"listen", "Let chess programs on other machines use this engine over TCP",
               run_listen},
    SubCommand{"connect", "Let an engine on another machine play in a chess program here",
               run_connect},
    SubCommand{"chezz-encode", "Translate games to chezz's binary states", chezz::encode_command},
    SubCommand{"chezz-decode", "Translate chezz's binary states to games", chezz::decode_command},
    SubCommand{"bench", "Search fixed positions: the signature and speed of this version",
               run_bench},
    SubCommand{"annotate", "Review games in PGN: evaluations, mistakes and better lines",
               commands::annotate},
    SubCommand{"explain", "Explain a move in words, as far as it can be proved on the board",
               commands::explain},
    SubCommand{"epd", "Search the positions of EPD suites and tell which ones are solved",
               commands::epd},
    SubCommand{"tb", "Tell what Syzygy endgame tables say of a position and its moves",
               commands::tb},
    SubCommand{"book", "Make, merge and show Polyglot opening books", commands::book},
    SubCommand{"doctor", "Check the machine and the set-up, and say what to do about faults",
               run_doctor},
    SubCommand{"replay", "Play a debug log back and tell where the answers differ", replay},
    SubCommand{"datagen", "Play games against itself and write them as training data",
               commands::datagen},
    SubCommand{"worker", "Do the searches of other programs, which it gets through Redis",
               commands::worker},
    SubCommand{"queue", "Show the jobs and workers of a Redis, and jobs that were put aside",
               commands::queue},
    SubCommand{"genfens", "Print random balanced openings, as OpenBench asks for them",
               commands::genfens},
};

/// A dialect without options.
int run_dialect(const DialectInfo& dialect, Arguments arguments) {
    CommandLine line{std::string{dialect.name},
                     fmt::format("Speaks {} on standard input and output.", dialect.summary)};
    if (const auto status = line.parse(arguments))
        return *status;
    transport::StdioTransport transport;
    return converse(dialect, transport);
}

std::vector<SubCommand> with_dialects() {
    std::vector<SubCommand> commands{table.begin(), table.end()};
    for (const auto* dialect : all_dialects()) {
        const bool has_entry = std::any_of(table.begin(), table.end(), [&](const auto& command) {
            return command.name == dialect->name;
        });
        if (!has_entry)
            commands.push_back({dialect->name, dialect->summary, [dialect](Arguments arguments) {
                                    return run_dialect(*dialect, arguments);
                                }});
    }
    return commands;
}

}  // namespace

std::span<const SubCommand> sub_commands() {
    static const auto all = with_dialects();
    return all;
}

const SubCommand* find_sub_command(std::string_view name) {
    const auto all = sub_commands();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& command) { return command.name == name; });
    return found == all.end() ? nullptr : &*found;
}

int run_uci_commands(std::span<const std::string> arguments) {
    auto commands = read_argument_commands(arguments);
    if (!commands) {
        fmt::print(stderr, "parley: {}\nTry 'parley --help'.\n", commands.reason());
        return exit_usage;
    }
    transport::ArgumentsTransport transport{*std::move(commands)};
    engine::GeneralInterface engine;
    UciDialect dialect{engine, ExecutionMode::strict};
    dialect.run(transport);
    if (const auto refusal = dialect.refusal()) {
        fmt::print(stderr, "parley: {}\n", *refusal);
        return exit_usage;
    }
    return exit_success;
}

}  // namespace uci
