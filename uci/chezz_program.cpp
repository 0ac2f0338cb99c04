#include "uci/chezz_program.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

#include "uci/arguments.hpp"
#include "uci/chezz/decode.hpp"
#include "uci/chezz/encode.hpp"
#include "uci/chezz/hex.hpp"
#include "uci/chezz/move_text.hpp"
#include "uci/stdio_transport.hpp"

namespace uci {

namespace {

using core::Error;
using core::Result;
// Keeps the keys in the order in which they were written down.
using Json = nlohmann::ordered_json;

constexpr const char* usage = R"(Parley translates games to and from the binary states of chezz.

usage: parley chezz-encode    reads a game in each line of standard input,
                                  {"moves":["e2e4","e7e5"]}
                              and prints its state, in hexadecimal, as the front end reads it
       parley chezz-decode    reads a state, in hexadecimal, in each line, and prints the game,
                                  {"fen":"...","moves":["e2e4","e7e5"]}

Castling is the king's move (e1g1), a promotion has its letter at the end (g7g8Q). A line that is
no game is answered by one that begins with "error: "; the lines after it are read as usual.)";

using Translation = Result<std::string> (*)(std::string_view line);

Result<std::vector<std::string>> read_texts(std::string_view line) {
    const auto message = Json::parse(line, nullptr, false);
    if (!message.is_object())
        return Error{R"(a game is a JSON object such as {"moves":["e2e4","e7e5"]})"};
    const auto moves = message.find("moves");
    if (moves == message.end() || !moves->is_array())
        return Error{R"(the game has no array "moves")"};
    std::vector<std::string> texts;
    for (const auto& move : *moves) {
        if (!move.is_string())
            return Error{"move " + std::to_string(texts.size() + 1) + ": not a string"};
        texts.push_back(move.get<std::string>());
    }
    return texts;
}

Result<core::Game> play(const std::vector<std::string>& texts) {
    core::Game game;
    for (const auto& text : texts) {
        const auto move = chezz::read_move_text(game.position(), text);
        if (!move)
            return Error{"move " + std::to_string(game.moves().size() + 1) + ": " + move.reason()};
        game.play(*move);
    }
    return game;
}

Result<std::string> state_of(std::string_view line) {
    const auto texts = read_texts(line);
    if (!texts)
        return texts.error();
    const auto game = play(*texts);
    if (!game)
        return game.error();
    const auto bytes = chezz::encode(*game, chezz::Form::front_end);
    if (!bytes)
        return bytes.error();
    return chezz::hex(*bytes);
}

Result<std::string> game_of(std::string_view line) {
    const auto bytes = chezz::read_hex(core::Words{line}.rest());
    if (!bytes)
        return bytes.error();
    const auto state = chezz::decode(*bytes);
    if (!state)
        return state.error();
    auto moves = Json::array();
    for (const core::Move move : state->game.moves())
        moves.push_back(chezz::move_text(move));
    return Json{{"fen", state->game.fen_after_double_step()}, {"moves", std::move(moves)}}.dump();
}

void translate_lines(Translation translate) {
    StdioTransport transport;
    while (const auto line = transport.read_line()) {
        // A line of that length may have been cut.
        const auto answer = line->size() < StdioTransport::longest_line
                              ? translate(*line)
                              : Error{"the line is too long"};
        transport.write_line(answer ? *answer : "error: " + answer.reason());
    }
}

int run(std::span<const std::string> arguments, const char* program, Translation translate) {
    bool help = false;
    const auto words = read_arguments(arguments, {flag("--help", help), flag("-h", help)});
    if (!words || !words->empty()) {
        fmt::print(stderr, "{}: {}\n", program,
                   words ? "the games are read from standard input" : words.reason());
        return 2;
    }
    if (help)
        fmt::print("{}\n", usage);
    else
        translate_lines(translate);
    return 0;
}

}  // namespace

int chezz_encode(std::span<const std::string> arguments) {
    return run(arguments, "chezz-encode", state_of);
}

int chezz_decode(std::span<const std::string> arguments) {
    return run(arguments, "chezz-decode", game_of);
}

}  // namespace uci
