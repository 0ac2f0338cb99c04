#include "uci/protocol_interpreter.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "engine/general_interface.hpp"

#include "uci/chenserver_dialect.hpp"
#include "uci/chezz_program.hpp"
#include "uci/datagen_program.hpp"
#include "uci/stdio_transport.hpp"
#include "uci/uci_dialect.hpp"

#if defined(PARLEY_SERVER)
#include "uci/net/chenserver_server.hpp"
#endif

namespace uci {

namespace {

constexpr const char* usage = R"(Parley, a UCI chess engine.

usage: parley                     talk UCI on standard input and output
       parley COMMAND WORD...     one command, then quit:  parley bench
       parley "COMMAND" "..."     several, one after the other:
                                  parley "position startpos moves e2e4" "go depth 12"
       parley -s                  ChenServer's commands on standard input and output
       parley -p PORT             the same over TCP and HTTP; parley -p PORT --help says more
       parley datagen --help      play itself, for games to learn from
       parley chezz-encode        games to the states of chezz, line by line;
       parley chezz-decode        and back: parley chezz-encode --help says more
       parley --help | --version

Type help in a session to see the commands.)";

/// Commands from the program's arguments; what is said goes to standard output.
class ArgumentsTransport : public Transport {
public:
    explicit ArgumentsTransport(std::vector<std::string> commands)
        : commands_{std::move(commands)} {}

    std::optional<std::string> read_line() override {
        if (next_ == commands_.size())
            return std::nullopt;
        return commands_[next_++];
    }
    void write_line(std::string_view line) override { output_.write_line(line); }

private:
    std::vector<std::string> commands_;
    std::size_t next_ = 0;
    StdioTransport output_;
};

/// Each argument is a command when one of them holds a blank; else they are one command.
std::vector<std::string> commands_in(const std::vector<std::string>& arguments) {
    const bool several = std::any_of(arguments.begin(), arguments.end(), [](const auto& argument) {
        return argument.find(' ') != std::string::npos;
    });
    if (several)
        return arguments;
    std::string command;
    for (const auto& argument : arguments)
        command += (command.empty() ? "" : " ") + argument;
    return {command};
}

int serve_chenserver(std::span<const std::string> arguments) {
#if defined(PARLEY_SERVER)
    return net::run_chenserver(arguments);
#else
    static_cast<void>(arguments);
    fmt::print(stderr, "parley: this one was built without its servers (PARLEY_SERVER=OFF)\n");
    return 1;
#endif
}

}  // namespace

int interpret(const std::vector<std::string>& arguments) {
    const auto has = [&](const char* flag) {
        return arguments.size() == 1 && arguments.front() == flag;
    };
    if (has("--help") || has("-h")) {
        fmt::print("{}\n", usage);
        return 0;
    }
    if (has("--version")) {
        fmt::print("{} {}\n", engine::GeneralInterface::name(),
                   engine::GeneralInterface::version());
        return 0;
    }
    if (!arguments.empty() && arguments.front() == "datagen")
        return datagen(std::span{arguments}.subspan(1));
    if (!arguments.empty() && arguments.front() == "chezz-encode")
        return chezz_encode(std::span{arguments}.subspan(1));
    if (!arguments.empty() && arguments.front() == "chezz-decode")
        return chezz_decode(std::span{arguments}.subspan(1));
    if (!arguments.empty() && arguments.front() == "-p")
        return serve_chenserver(arguments);
    engine::GeneralInterface engine;
    if (arguments.empty()) {
        StdioTransport transport;
        UciDialect{engine}.run(transport);
    }
    else if (arguments.front() == "-s") {
        StdioTransport transport;
        ChenserverDialect{engine}.run(transport);
    }
    else {
        ArgumentsTransport transport{commands_in(arguments)};
        UciDialect{engine, UciDialect::Pace::one_after_the_other}.run(transport);
    }
    return 0;
}

}  // namespace uci
