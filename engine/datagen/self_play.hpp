#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/datagen/game_record.hpp"
#include "engine/datagen/random_opening.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/search/search.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine::datagen {

/// How training games are played.
struct SelfPlayRules {
    std::uint64_t seed = 1;
    std::uint64_t nodes = 300;  ///< a move's soft limit; the hard limit is eight times as many
    int chess960_percent = 20;  ///< share of the games that start from double Fischer random chess
    /// Share of the searches of a game after which a sideline is played, if the position drawn for
    /// it has an open score and a quiet best move.
    int sideline_percent = 100;
    /// Tables that end a game when they know its position; none without them.
    std::shared_ptr<const tablebase::Tablebases> tablebases = nullptr;
};

/// A game and its sidelines. A sideline begins with a position that a search of the game evaluated;
/// such positions differ from those of well-played games.
struct PlayedGame {
    std::vector<GameRecord> sidelines;
    GameRecord game;
    friend bool operator==(const PlayedGame&, const PlayedGame&) = default;
};

/// Plays both sides of games, one after the other, in the calling thread. A game depends only on
/// the rules and its number.
class SelfPlay {
public:
    explicit SelfPlay(const SelfPlayRules& rules);

    /// The game with a number; nothing when `stop` was set before its end.
    std::optional<PlayedGame> play(std::uint64_t number, const std::atomic<bool>& stop);

private:
    std::optional<PlayedGame> try_to_play(const core::Position& start,
                                          Rng& rng,
                                          const std::atomic<bool>& stop);
    std::optional<GameRecord> play_sideline(const core::Position& start,
                                            const std::atomic<bool>& stop);
    BestMove think(const core::Game& game,
                   std::uint64_t nodes,
                   search::PositionSample* evaluated = nullptr);
    bool reached_hard_limit(std::uint64_t nodes) const;

    SelfPlayRules rules_;
    evaluate::Evaluate evaluate_;
    search::Search search_;
    SearchListener listener_;
};

}  // namespace engine::datagen
