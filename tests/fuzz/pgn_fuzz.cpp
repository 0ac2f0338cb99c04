#include "core/pgn.hpp"

#include <algorithm>

#include "core/pgn_splitter.hpp"
#include "core/text.hpp"

#include "tests/fuzz/fuzz_target.hpp"

using namespace core;
using tests::require;

namespace {

/// Divides the text into games: all of it comes back, in pieces that are not blank.
void check_splitter(std::string_view text) {
    PgnSplitter splitter;
    std::size_t lines = 0;
    std::size_t lines_in_games = 0;
    const auto take = [&](const std::optional<std::string>& game) {
        if (!game)
            return;
        require(!Words{*game}.empty(), "a game has text");
        lines_in_games += static_cast<std::size_t>(std::count(game->begin(), game->end(), '\n'));
    };
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        take(splitter.add_line(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++lines;
    }
    take(splitter.finish());
    require(lines_in_games <= lines, "no line comes twice");
    require(!splitter.finish(), "nothing is left");
}

/// A game that can be read is the same after it has been written and read again.
void check_annotated_game(std::string_view text) {
    const auto game = read_annotated_game(text);
    if (!game) {
        require(!game.reason().empty(), "a refusal has a reason");
        return;
    }
    const auto again = read_annotated_game(write_annotated_game(*game));
    require(static_cast<bool>(again), "a written game with comments can be read");
    require(*again == *game, "a written game keeps everything");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check_splitter(tests::text_of(data, size));
    check_annotated_game(tests::text_of(data, size));
    const auto pgn = read_pgn(tests::text_of(data, size));
    if (!pgn) {
        require(!pgn.reason().empty(), "a refusal has a reason");
        return 0;
    }
    const auto again = read_pgn(write_pgn(*pgn));
    require(static_cast<bool>(again), "a written game can be read");
    require(again->game.start() == pgn->game.start(), "a written game keeps its start");
    require(again->game.moves() == pgn->game.moves(), "a written game keeps its moves");
    require(again->result == pgn->result, "a written game keeps its result");
    return 0;
}
