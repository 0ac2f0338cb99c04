#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/movegen.hpp"

#include "uci/chenserver/command_handler.hpp"
#include "uci/chenserver/notation.hpp"

namespace {

using namespace uci::chenserver;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

/// Every line is answered by exactly one line.
void check_answer(const std::string& answer) {
    demand(!answer.empty());
    demand(answer.find('\n') == std::string::npos);
}

/// The answer to a command; a chosen legal move takes the place of a search.
std::string answer_to(CommandHandler& handler, const Command& command, std::size_t choice) {
    const auto answer = handler.execute(command, {});
    if (const auto* text = std::get_if<std::string>(&answer))
        return *text;
    const auto& request = std::get<SearchRequest>(answer);
    if (request.kind == CommandKind::evaluate)
        return "OK 0";
    const auto moves = ordered_moves(request.game);
    demand(!moves.empty());
    return handler.finish(request, moves[choice % moves.size()], {});
}

/// Commands that never fail show whether the game is still consistent.
void check_game(CommandHandler& handler, const std::string& name, std::string_view answer) {
    const auto status = std::get<std::string>(handler.execute({name, CommandKind::status, {}}, {}));
    demand(std::count(status.begin(), status.end(), ' ') == 6);
    const auto legal =
        std::get<std::string>(handler.execute({name, CommandKind::legal, {"pgn"}}, {}));
    demand(legal.starts_with("OK "));
    if (answer.starts_with("BAD_"))
        check_answer(
            std::get<std::string>(handler.execute({name, CommandKind::history, {"pgn"}}, {})));
    check_answer(std::get<std::string>(handler.execute({name, CommandKind::pgn, {}}, {})));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input{data, data + size};
    CommandHandler handler;
    std::string_view rest{input};
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto parsed = parse_command(line);
        demand(!is_command(line) || !std::holds_alternative<std::string>(parsed)
               || std::get<std::string>(parsed) != "CANNOT_PARSE");
        if (const auto* error = std::get_if<std::string>(&parsed)) {
            check_answer(*error);
            continue;
        }
        const auto& command = std::get<Command>(parsed);
        const auto answer = answer_to(handler, command, line.size());
        check_answer(answer);
        check_game(handler, command.game, answer);
    }
    return 0;
}
