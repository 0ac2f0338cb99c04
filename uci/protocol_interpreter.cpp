#include "uci/protocol_interpreter.hpp"

#include <array>
#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"

#include "engine/build_info.hpp"
#include "engine/general_interface.hpp"

#include "uci/argument_commands.hpp"
#include "uci/command_line.hpp"
#include "uci/dialects.hpp"
#include "uci/sub_commands.hpp"
#include "uci/transport/peeking_transport.hpp"
#include "uci/transport/stdio_transport.hpp"
#include "uci/uci_parser.hpp"
#include "uci/uci_writer.hpp"

namespace uci {

namespace {

using Arguments = std::span<const std::string>;

/// Speaks the dialect that the first line is in.
int converse() {
    engine::GeneralInterface engine;
    transport::StdioTransport transport;
    transport::PeekingTransport peeking{transport};
    detect_dialect(peeking.first_line()).make(engine, {})->run(peeking);
    return exit_success;
}

/// Flushes standard output; failure if what was printed could not be written.
int flushed() {
    return std::fflush(stdout) == 0 ? exit_success : exit_failure;
}

int print_help() {
    fmt::print(R"(Parley, a chess engine that speaks several protocols.

usage: parley                     the protocol of the first line of standard input
       parley COMMAND OPTION...   parley COMMAND --help, or parley help COMMAND, lists the options
       parley UCI-COMMAND         one UCI command, for example: parley go depth 12
       parley "UCI-COMMAND" ...   several: parley "position startpos moves e2e4" "go depth 12";
                                  those of one word need no quotes: parley d eval
       parley --help | --version

protocols that the first line may be in; any other line is taken for UCI:
)");
    for (const auto* dialect : all_dialects())
        fmt::print("  {:<14}{}\n", dialect->name, dialect->summary);
    fmt::print("\ncommands:\n");
    for (const auto& command : sub_commands())
        fmt::print("  {:<14}{}\n", command.name, command.summary);
    fmt::print(R"(
-s is short for chenserver, -p PORT for chenserver --port PORT, --json for json.
Exit status: 0 success, 1 failure, 2 wrong arguments or a refused UCI command among them.
Type help in a UCI session for its commands.
)");
    return flushed();
}

/// One line of JSON for each command.
int print_help_as_json() {
    const std::array arguments{std::string{CommandLine::help_as_json}};
    for (const auto& command : sub_commands())
        command.run(arguments);
    return flushed();
}

int print_version() {
    const auto simd = engine::simd_paths();
    fmt::print("{} {}\ncommit    {}\ncompiler  {}, for {}\nSIMD      {}; this machine runs {}",
               engine::GeneralInterface::name(), engine::version(), engine::commit(),
               engine::compiler(), engine::target(), simd.used, fmt::join(simd.runnable, ", "));
    if (!simd.others.empty())
        fmt::print(", but not {}", fmt::join(simd.others, ", "));
    fmt::print("\n");
    return flushed();
}

/// A flag of earlier versions that stands for a sub-command.
struct Alias {
    std::string_view flag;
    std::string_view command;
    bool is_option;  ///< also an option of the sub-command: it stays among the arguments
};
constexpr std::array aliases{Alias{"-s", "chenserver", false}, Alias{"-p", "chenserver", true},
                             Alias{"--json", "json", false}};

int refuse(const std::string& first) {
    std::vector<std::string> known;
    for (const auto& command : sub_commands())
        known.emplace_back(command.name);
    for (const auto word : uci_command_words())
        known.emplace_back(word);
    const auto* const kind = first.starts_with('-') ? "option" : "command";
    if (first.starts_with('-'))
        known = {"--help", "--version", "--json"};
    fmt::print(stderr, "parley: {}\nTry 'parley --help'.\n", unknown_message(kind, first, known));
    return exit_usage;
}

/// The help of the program, or that of the command which the words name.
int help(Arguments words) {
    if (words.empty() || words.front() == "--help")
        return print_help();
    const auto& name = words.front();
    if (const auto* command = find_sub_command(name)) {
        std::vector<std::string> arguments{words.begin() + 1, words.end()};
        arguments.emplace_back("--help");
        return command->run(arguments);
    }
    if (!is_uci_command(name))
        return refuse(name);
    fmt::print("{}\n", help_text());
    return flushed();
}

}  // namespace

int interpret(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return converse();
    const auto& first = arguments.front();
    if (first == "--help" || first == "-h")
        return print_help();
    if (first == CommandLine::help_as_json)
        return print_help_as_json();
    if (first == "--version")
        return print_version();
    const Arguments all{arguments};
    if (first == "help")
        return help(all.subspan(1));
    // "uci" and "bench" are sub-commands too.
    if (arguments.size() > 1 && are_uci_commands(arguments))
        return run_uci_commands(arguments);
    if (const auto* command = find_sub_command(first))
        return command->run(all.subspan(1));
    for (const auto& alias : aliases) {
        if (alias.flag == first)
            return find_sub_command(alias.command)->run(alias.is_option ? all : all.subspan(1));
    }
    const auto word = core::Words{first}.peek().value_or("");
    // OpenBench passes each command as one argument: "genfens 8 seed 1 book None" "quit".
    if (word == "genfens")
        return find_sub_command(word)->run(all);
    if (is_uci_command(word))
        return run_uci_commands(arguments);
    return refuse(std::string{word});
}

}  // namespace uci
