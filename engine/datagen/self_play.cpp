#include "engine/datagen/self_play.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/movegen.hpp"

#include "engine/datagen/opening.hpp"
#include "engine/search_control.hpp"

namespace engine {

namespace {

constexpr std::uint64_t hard_factor = 8;
/// A game where the hard limit struck so often is given up: its scores cannot be trusted.
constexpr int most_hard_stops = 2;

// Scores here are the evaluation's own centipawns, not those that are told (engine/win_rate.hpp).

// An opening is looked at with so many times the nodes of a move, and dropped when one side is
// ahead by more.
constexpr std::uint64_t opening_factor = 10;
constexpr Score decided_opening = 200;

// What is won is not played on for long: it would teach little, at the price of what is not.
constexpr Score won_score = 1'000;
constexpr int won_plies = 4;
constexpr Score drawn_score = 10;
constexpr int drawn_plies = 10;
constexpr int first_drawn_ply = 70;
constexpr std::size_t longest_game = 1'000;

/// Judges a game by the scores given so far, so that nothing is played out that is settled.
class Adjudicator {
public:
    /// Takes White's score of a ply; the result when that settles the game.
    std::optional<GameResult> judge(Score score, int ply) {
        const bool won = std::abs(score) >= won_score;
        const bool same_side = (score > 0) == last_is_white_;
        won_in_a_row_ = won ? (same_side ? won_in_a_row_ + 1 : 1) : 0;
        drawn_in_a_row_ =
            ply >= first_drawn_ply && std::abs(score) <= drawn_score ? drawn_in_a_row_ + 1 : 0;
        last_is_white_ = score > 0;
        if (is_decisive(score) || won_in_a_row_ >= won_plies)
            return score > 0 ? GameResult::white_won : GameResult::black_won;
        if (drawn_in_a_row_ >= drawn_plies)
            return GameResult::drawn;
        return std::nullopt;
    }

private:
    int won_in_a_row_ = 0;
    int drawn_in_a_row_ = 0;
    bool last_is_white_ = true;
};

/// A game that is not mate when it ends is drawn.
GameResult result_on_board(const core::Game& game) {
    if (game.outcome() != core::Outcome::checkmate)
        return GameResult::drawn;
    return game.position().side_to_move() == core::Color::white ? GameResult::black_won
                                                                : GameResult::white_won;
}

/// Large enough for a game, and no larger: it is cleared for each, and small ones stay in caches.
std::size_t table_megabytes(std::uint64_t nodes) {
    return std::clamp<std::size_t>(nodes / 125, 1, 8);
}

}  // namespace

SelfPlay::SelfPlay(const SelfPlayRules& rules)
    : rules_{rules},
      search_{table_megabytes(rules.nodes)} {}

std::optional<GameRecord> SelfPlay::play(std::uint64_t number, const std::atomic<bool>& stop) {
    // Two draws from the seed and the number keep the chances of neighbouring games apart.
    Chance chance{Chance{rules_.seed}.next() ^ Chance{~number}.next()};
    while (!stop) {
        const auto start = random_opening(chance, rules_.chess960_percent);
        if (!start)
            continue;
        search_.clear();
        if (auto game = try_to_play(*start, stop))
            return game;
    }
    return std::nullopt;
}

/// Nothing when the opening is decided, a score cannot be trusted, or it was told to stop.
std::optional<GameRecord> SelfPlay::try_to_play(const core::Position& start,
                                                const std::atomic<bool>& stop) {
    core::Game game{start};
    const std::uint64_t opening_nodes = opening_factor * rules_.nodes;
    const BestMove opening = think(game, opening_nodes, hard_factor * opening_nodes);
    if (std::abs(opening.score) > decided_opening)
        return std::nullopt;

    GameRecord record;
    record.start = start;
    Adjudicator adjudicator;
    int hard_stops = 0;
    while (game.outcome() == core::Outcome::open && record.moves.size() < longest_game) {
        const BestMove best = think(game, rules_.nodes, hard_factor * rules_.nodes);
        // No move was looked at to its end.
        const bool unknown = std::abs(best.score) == infinite;
        if (unknown || stop)
            return std::nullopt;
        if (search_.nodes() >= hard_factor * rules_.nodes && ++hard_stops > most_hard_stops)
            return std::nullopt;
        const bool white = game.position().side_to_move() == core::Color::white;
        const Score score = white ? best.score : -best.score;
        record.moves.push_back({*best.move, score});
        if (const auto result = adjudicator.judge(score, game_ply(game.position()))) {
            record.result = *result;
            return record;
        }
        game.play(*best.move);
    }
    record.result = result_on_board(game);
    return record;
}

BestMove SelfPlay::think(const core::Game& game, std::uint64_t soft, std::uint64_t hard) {
    Limits limits;
    limits.soft_nodes = soft;
    limits.nodes = hard;
    const Clock clock{limits, game.position().side_to_move(), Milliseconds{0}};
    SearchControl control{limits, clock, link_, [&](const Ask& question) {
                              return Snapshot{question.subject, game};
                          }};
    control.keep_silent();
    const auto moves = core::legal_moves(game.position());
    return search_.run({game, {moves.begin(), moves.end()}}, control);
}

}  // namespace engine
