#include "uci/chezz/translate.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"

#include "uci/chezz/codec/decode.hpp"
#include "uci/chezz/codec/encode.hpp"
#include "uci/chezz/notation.hpp"
#include "uci/command_line.hpp"
#include "uci/transport/stdio_transport.hpp"
#include "uci/util/hex.hpp"

namespace uci::chezz {

namespace {

using core::Error;
using core::Result;
// Ordered: the keys are printed in the order in which they are set.
using Json = nlohmann::ordered_json;

constexpr const char* conventions =
    "Castling is written as the king's move (e1g1), a promotion with its letter at the end "
    "(g7g8Q).\n"
    "The answer to an invalid line begins with \"error: \"; the lines after it are read as usual.";

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
        const auto move = read_move_text(game.position(), text);
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
    const auto bytes = codec::encode(*game, codec::StateFormat::front_end);
    if (!bytes)
        return bytes.error();
    return util::hex(*bytes);
}

Result<std::string> game_of(std::string_view line) {
    const auto bytes = util::read_hex(core::Words{line}.rest());
    if (!bytes)
        return bytes.error();
    const auto decoded = codec::decode(*bytes);
    if (!decoded)
        return decoded.error();
    auto moves = Json::array();
    for (const core::Move move : decoded->game.moves())
        moves.push_back(move_text(move));
    return Json{{"fen", decoded->game.fen_with_en_passant_target()}, {"moves", std::move(moves)}}
        .dump();
}

void translate_lines(Translation translate) {
    transport::StdioTransport transport;
    while (const auto line = transport.read_line()) {
        // The transport truncates longer lines.
        const auto answer = line->size() < transport::StdioTransport::max_line_bytes
                              ? translate(*line)
                              : Error{"the line is too long"};
        transport.write_line(answer ? *answer : "error: " + answer.reason());
    }
}

int run(std::span<const std::string> arguments,
        const char* command,
        const char* summary,
        Translation translate) {
    CommandLine line{command, summary};
    line.footer(conventions);
    if (const auto status = line.parse(arguments))
        return *status;
    translate_lines(translate);
    return exit_success;
}

}  // namespace

int encode_command(std::span<const std::string> arguments) {
    return run(arguments, "chezz-encode",
               "Reads a game from each line of standard input, {\"moves\":[\"e2e4\",\"e7e5\"]}, "
               "and prints "
               "its state in hexadecimal, as chezz's front end reads it.",
               state_of);
}

int decode_command(std::span<const std::string> arguments) {
    return run(arguments, "chezz-decode",
               "Reads a state in hexadecimal from each line of standard input and prints the game, "
               "{\"fen\":\"...\",\"moves\":[\"e2e4\",\"e7e5\"]}.",
               game_of);
}

}  // namespace uci::chezz
