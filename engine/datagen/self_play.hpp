#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/commands_responses.hpp"
#include "engine/datagen/game_record.hpp"
#include "engine/search/search.hpp"

namespace engine {

/// How games are played that shall be learnt from.
struct SelfPlayRules {
    std::uint64_t seed = 1;
    std::uint64_t nodes = 1'000;  ///< a move's soft limit; eight times as many are the hard one
    int chess960_percent = 10;    ///< of the games start from double Fischer random chess
};

/// Plays both sides of games, one after the other, in the calling thread. A game depends on the
/// rules and its number alone, whoever plays it.
class SelfPlay {
public:
    explicit SelfPlay(const SelfPlayRules& rules);

    /// The game of that number; nothing when it was told to stop before its end.
    std::optional<GameRecord> play(std::uint64_t number, const std::atomic<bool>& stop);

private:
    std::optional<GameRecord> try_to_play(const core::Position& start,
                                          const std::atomic<bool>& stop);
    BestMove think(const core::Game& game, std::uint64_t soft, std::uint64_t hard);

    SelfPlayRules rules_;
    Search search_;
    CommandsResponses link_;  ///< nobody is at the other end
};

}  // namespace engine
