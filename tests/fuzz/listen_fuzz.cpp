#include <algorithm>
#include <string>

#include "core/text.hpp"

#include "uci/remote/command_filter.hpp"
#include "uci/remote/line_connection.hpp"
#include "uci/remote/output_queue.hpp"
#include "uci/remote/token_handshake.hpp"
#include "uci/uci_options.hpp"
#include "uci/uci_parser.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using tests::require;
using namespace uci::remote;

namespace {

/// Whatever a client says, the engine is given only commands and options of the allow-list.
void filter(std::string_view line) {
    const CommandFilter filter{{.threads = 2, .hash = 64}};
    const auto filtered = filter.filter(line);
    require(filtered.note.find('\n') == std::string::npos, "a note is one line");
    require(!filtered.quits || filtered.line.empty(), "quit does not reach the engine");
    if (!filtered.line.empty()) {
        const auto parsed = uci::parse_command(filtered.line, engine::TimePoint{});
        const auto& command = parsed.command;
        require(!std::holds_alternative<engine::Bench>(command)
                    && !std::holds_alternative<engine::Perft>(command)
                    && !std::holds_alternative<engine::Why>(command)
                    && !std::holds_alternative<engine::Quit>(command),
                "no long command reaches the engine");
        if (const auto* option = std::get_if<engine::SetOption>(&command)) {
            require(remote_option(option->name).has_value(), "only options of the list are set");
            require(!uci::find_uci_option(option->name), "no option names a file");
            const auto value = core::read_integer(option->value);
            require(!value || option->name != "Threads" || *value <= 2, "Threads has its limit");
            require(!value || option->name != "Hash" || *value <= 64, "Hash has its limit");
        }
        require(filter.filter(filtered.line).line == filtered.line,
                "what is allowed stays as it is");
    }
    if (const auto answer = filter.filter_answer(line))
        require(answer->find('\n') == std::string::npos, "a line stays a line");
}

/// Nobody is accepted without the token, and no line surprises either side of the handshake.
void shake_hands(std::string_view line) {
    using Verdict = ServerHandshake::Verdict;
    ServerHandshake fresh{"token", std::string(64, '1')};
    require(fresh.receive(line).verdict != Verdict::accepted, "accepted without a nonce");
    ServerHandshake second{"token", std::string(64, '1')};
    second.receive("auth " + std::string(64, '2'));
    require(second.receive(line).verdict == Verdict::wrong_token, "accepted without a proof");
    ClientHandshake client{"token", std::string(64, '2')};
    static_cast<void>(client.receive(line));
    static_cast<void>(client.receive(line));
    require(!client.is_done(), "a server is trusted without a proof");
}

}  // namespace

/// Every line of the input is one of a client.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = tests::text_of(data, size);
    OutputQueue queue{256};
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        static_cast<void>(is_http_request_line(line));
        filter(line);
        shake_hands(line);
        queue.add(std::string{line});
        if (queue.is_over_limit()) {
            while (const auto kept = queue.take())
                require(!kept->starts_with("info "), "an info line is kept beyond the limit");
        }
    }
    return 0;
}
