#include "tools/bench/inputs.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/movegen.hpp"
#include "core/pgn.hpp"
#include "core/pgn_splitter.hpp"

// games.pgn, embedded by the build.
extern "C" {
extern const unsigned char parley_benchmark_games[];
extern const std::uint64_t parley_benchmark_games_size;
}

namespace tools::bench {

namespace {

std::vector<std::string> split_games(std::string_view text) {
    core::PgnSplitter splitter;
    std::vector<std::string> games;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
        if (auto game = splitter.add_line(text.substr(0, end)))
            games.push_back(std::move(*game));
        text.remove_prefix(end);
    }
    if (auto game = splitter.finish())
        games.push_back(std::move(*game));
    return games;
}

void add_position(Inputs& inputs, const core::Position& position) {
    inputs.positions.push_back(position);
    for (const core::Move move : core::legal_moves(position)) {
        inputs.steps.push_back({position, move});
        if (position.is_capture(move))
            inputs.captures.push_back({position, move});
        if (const auto next = position.after(move); next.in_check())
            inputs.evasions.push_back(next);
    }
}

}  // namespace

core::Result<Inputs> make_inputs() {
    Inputs inputs;
    inputs.game_texts = split_games({reinterpret_cast<const char*>(parley_benchmark_games),
                                     static_cast<std::size_t>(parley_benchmark_games_size)});
    for (const std::string& text : inputs.game_texts) {
        const auto pgn = core::read_pgn(text);
        if (!pgn)
            return core::Error{"game " + std::to_string(inputs.games.size() + 1)
                               + " of games.pgn: " + pgn.reason()};
        core::Position position = pgn->game.start();
        for (const core::Move move : pgn->game.moves()) {
            add_position(inputs, position);
            inputs.played.push_back({position, move});
            position.play(move);
        }
        inputs.games.push_back(pgn->game);
    }
    return inputs;
}

}  // namespace tools::bench
