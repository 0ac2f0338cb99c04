#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/movegen.hpp"

#include "uci/chenserver/clerk.hpp"

namespace {

using namespace uci::chenserver;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

/// Looks for the faults that an answer can have: a line is answered by one line.
void look_at(const std::string& answer) {
    demand(!answer.empty());
    demand(answer.find('\n') == std::string::npos);
}

/// The answer to a question; where the engine would think, one of the moves is chosen.
std::string answer_to(Clerk& clerk, const Question& question, std::size_t choice) {
    const auto answer = clerk.answer(question, {});
    if (const auto* text = std::get_if<std::string>(&answer))
        return *text;
    const auto& thinking = std::get<Thinking>(answer);
    if (thinking.verb == Verb::evaluate)
        return "OK 0";
    const auto moves = ordered_moves(thinking.game);
    demand(!moves.empty());
    return clerk.finish(thinking, moves[choice % moves.size()], {});
}

/// Questions that never fail tell whether the game is still sound.
void look_at_game(Clerk& clerk, const std::string& name, std::string_view answer) {
    const auto status = std::get<std::string>(clerk.answer({name, Verb::status, {}}, {}));
    demand(std::count(status.begin(), status.end(), ' ') == 6);
    const auto legal = std::get<std::string>(clerk.answer({name, Verb::legal, {"pgn"}}, {}));
    demand(legal.starts_with("OK "));
    if (answer.starts_with("BAD_"))
        look_at(std::get<std::string>(clerk.answer({name, Verb::history, {"pgn"}}, {})));
    look_at(std::get<std::string>(clerk.answer({name, Verb::pgn, {}}, {})));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input{data, data + size};
    Clerk clerk;
    std::string_view rest{input};
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto reading = read_question(line);
        demand(!is_command(line) || !std::holds_alternative<std::string>(reading)
               || std::get<std::string>(reading) != "CANNOT_PARSE");
        if (const auto* refusal = std::get_if<std::string>(&reading)) {
            look_at(*refusal);
            continue;
        }
        const auto& question = std::get<Question>(reading);
        const auto answer = answer_to(clerk, question, line.size());
        look_at(answer);
        look_at_game(clerk, question.game, answer);
    }
    return 0;
}
