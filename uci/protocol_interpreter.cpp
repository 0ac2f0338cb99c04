#include "uci/protocol_interpreter.hpp"

#include <array>
#include <span>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/general_interface.hpp"

#include "uci/arguments.hpp"
#include "uci/arguments_transport.hpp"
#include "uci/chenserver_dialect.hpp"
#include "uci/chezz_program.hpp"
#include "uci/datagen_program.hpp"
#include "uci/json_dialect.hpp"
#include "uci/opening_line.hpp"
#include "uci/stdio_transport.hpp"
#include "uci/uci_dialect.hpp"

#if defined(PARLEY_SERVER)
#include "uci/net/chenserver_server.hpp"
#include "uci/net/chezz_server.hpp"
#include "uci/net/play/server.hpp"
#endif

namespace uci {

namespace {

using Arguments = std::span<const std::string>;

constexpr const char* usage = R"(Parley, a chess engine that holds a conversation.

usage: parley                     talk on standard input and output: UCI, or ChenServer's
                                  commands or JSON messages when the first line is one
       parley COMMAND WORD...     one UCI command, then quit:  parley bench
       parley "COMMAND" "..."     several, one after the other:
                                  parley "position startpos moves e2e4" "go depth 12"
       parley -s                  talk ChenServer's commands
       parley -p PORT             the same over TCP and HTTP; parley -p PORT --help says more
       parley --json              talk JSON messages, one on each line
       parley serve               the same over HTTP and WebSocket, and a page to play on;
                                  parley serve --help says more
       parley chezz               serve chezz's games over HTTP and WebSocket;
                                  parley chezz --help says more
       parley chezz-encode        games to the states of chezz, line by line;
       parley chezz-decode        and back: parley chezz-encode --help says more
       parley datagen --help      play itself, for games to learn from
       parley --help | --version

Type help in a session to see the commands of UCI.)";

int print_usage(Arguments /*arguments*/) {
    fmt::print("{}\n", usage);
    return 0;
}

int print_version(Arguments /*arguments*/) {
    fmt::print("{} {}\n", engine::GeneralInterface::name(), engine::GeneralInterface::version());
    return 0;
}

/// Listens to how the client begins, and goes on in that dialect.
int converse() {
    engine::GeneralInterface engine;
    StdioTransport transport;
    OpeningLine opening{transport};
    switch (dialect_for(opening.text())) {
        case DialectName::chenserver: ChenserverDialect{engine}.run(opening); break;
        case DialectName::json: JsonDialect{engine}.run(opening); break;
        case DialectName::uci: UciDialect{engine}.run(opening); break;
    }
    return 0;
}

int converse_in_uci(const std::vector<std::string>& commands) {
    engine::GeneralInterface engine;
    ArgumentsTransport transport{commands};
    UciDialect{engine, UciDialect::Pace::one_after_the_other}.run(transport);
    return 0;
}

int converse_in_chenserver(Arguments /*arguments*/) {
    engine::GeneralInterface engine;
    StdioTransport transport;
    ChenserverDialect{engine}.run(transport);
    return 0;
}

#if defined(PARLEY_SERVER)
constexpr auto serve_chenserver = net::run_chenserver;
constexpr auto serve_play = net::play::serve;
constexpr auto serve_chezz = net::run_chezz;
#else
int serve_nothing(Arguments /*arguments*/) {
    fmt::print(stderr, "parley: this one was built without its servers (PARLEY_SERVER=OFF)\n");
    return 1;
}
constexpr auto serve_chenserver = serve_nothing;
constexpr auto serve_play = serve_nothing;
constexpr auto serve_chezz = serve_nothing;
#endif

int converse_in_json(Arguments arguments) {
    bool asked = false;
    bool misspelt = false;
    const auto words =
        read_arguments(arguments, {flag("--json", asked), flag("--en-passant-catpure", misspelt)});
    if (!words || !words->empty()) {
        fmt::print(
            stderr, "--json: {}\n",
            words ? "'" + core::printable(words->front()) + "' is no option" : words.reason());
        return 2;
    }
    engine::GeneralInterface engine;
    StdioTransport transport;
    const auto spelling = misspelt ? json::Spelling::also_misspelt : json::Spelling::correct;
    JsonDialect{engine, spelling}.run(transport);
    return 0;
}

/// What the first argument may name beside a command of UCI. Each gets all arguments.
struct Program {
    std::string_view name;
    int (*run)(Arguments);
};

constexpr std::array programs{
    Program{"--help", print_usage},
    Program{"-h", print_usage},
    Program{"--version", print_version},
    Program{"-s", converse_in_chenserver},
    Program{"-p", serve_chenserver},
    Program{"--json", converse_in_json},
    Program{"serve", [](Arguments all) { return serve_play(all.subspan(1)); }},
    Program{"chezz", [](Arguments all) { return serve_chezz(all.subspan(1)); }},
    Program{"chezz-encode", [](Arguments all) { return chezz_encode(all.subspan(1)); }},
    Program{"chezz-decode", [](Arguments all) { return chezz_decode(all.subspan(1)); }},
    Program{"datagen", [](Arguments all) { return datagen(all.subspan(1)); }},
};

}  // namespace

int interpret(const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return converse();
    for (const Program& program : programs) {
        if (program.name == arguments.front())
            return program.run(arguments);
    }
    return converse_in_uci(arguments);
}

}  // namespace uci
