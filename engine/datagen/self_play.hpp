#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/datagen/game_record.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/search/search.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine::datagen {

/// How training games are played.
struct SelfPlayRules {
    std::uint64_t seed = 1;
    std::uint64_t nodes = 300;  ///< a move's soft limit; the hard limit is eight times as many
    int chess960_percent = 20;  ///< share of the games that start from double Fischer random chess
    /// Tables that end a game when they know its position; none without them.
    std::shared_ptr<const tablebase::Tablebases> tablebases = nullptr;
};

/// Plays both sides of games, one after the other, in the calling thread. A game depends only on
/// the rules and its number.
class SelfPlay {
public:
    explicit SelfPlay(const SelfPlayRules& rules);

    /// The game with a number; nothing when `stop` was set before its end.
    std::optional<GameRecord> play(std::uint64_t number, const std::atomic<bool>& stop);

private:
    std::optional<GameRecord> try_to_play(const core::Position& start,
                                          const std::atomic<bool>& stop);
    BestMove think(const core::Game& game, std::uint64_t soft, std::uint64_t hard);

    SelfPlayRules rules_;
    evaluate::Evaluate evaluate_;
    search::Search search_;
    SearchListener listener_;
};

}  // namespace engine::datagen
