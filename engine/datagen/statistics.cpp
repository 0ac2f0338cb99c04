#include "engine/datagen/statistics.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/paths.hpp"

#include "engine/datagen/game_file.hpp"

namespace engine::datagen {

namespace {

constexpr int pieces_per_size = 4;

}  // namespace

void GameStatistics::add(const GameRecord& game) {
    if (game.result) {
        shortest = games == 0 ? game.moves.size() : std::min(shortest, game.moves.size());
        longest = std::max(longest, game.moves.size());
        ++games;
        ++results[static_cast<std::size_t>(*game.result)];
        chess960_games += game.start.is_chess960() ? 1U : 0U;
        plies_of_games += game.moves.size();
    }
    else {
        ++sidelines;
    }
    core::Position position = game.start;
    for (const auto& ply : game.moves) {
        const int count = position.pieces().count();
        ++plies;
        pieces += static_cast<std::uint64_t>(count);
        ++sizes[static_cast<std::size_t>((count - 1) / pieces_per_size)];
        if (is_decisive(ply.score))
            ++decisive;
        else
            absolute_score += static_cast<std::uint64_t>(std::abs(ply.score));
        if (is_training_position(position, ply))
            ++training_positions;
        else if (position.in_check())
            ++in_check;
        else if (position.is_noisy(ply.move))
            ++noisy;
        else if (!is_decisive(ply.score))
            ++opening;
        position = position.after(ply.move);
    }
}

core::Result<std::uint64_t> add_file(GameStatistics& statistics,
                                     const std::filesystem::path& path) {
    const auto contents = read_game_file(path);
    if (!contents)
        return contents.error();
    if (!*contents)
        return core::Error{core::utf8_text(path) + " cannot be read"};
    const std::string& bytes = **contents;
    GameReader reader{bytes};
    std::uint64_t games = 0;
    while (!reader.at_end()) {
        const auto game = reader.next();
        if (!game)
            return core::Error{core::utf8_text(path) + ", game " + std::to_string(games + 1)
                               + ", byte " + std::to_string(reader.offset()) + ": "
                               + game.reason()};
        statistics.add(*game);
        games += game->result ? 1U : 0U;
    }
    return games;
}

}  // namespace engine::datagen
