#include "engine/datagen/self_play.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/movegen.hpp"

#include "engine/search/position_sample.hpp"
#include "engine/search_control.hpp"

namespace engine::datagen {

namespace {

constexpr std::uint64_t hard_factor = 8;
/// A game in which the hard limit ended more searches than this is dropped: its scores are not
/// reliable.
constexpr int max_hard_stops = 2;

// Scores here are internal centipawns, not normalised ones (engine/wdl.hpp).

// An opening is searched with this many times the nodes of a move, and dropped when one side is
// ahead by more than this.
constexpr std::uint64_t opening_factor = 10;
constexpr Score decided_opening = 200;

// Won games are adjudicated early: playing them out costs positions that are more useful for
// training. Draws are adjudicated late, because a wrong draw is worse than a few more moves.
constexpr Score won_score = 1'000;
constexpr int won_plies = 4;
constexpr Score drawn_score = 5;
constexpr int drawn_plies = 12;
constexpr int min_draw_ply = 90;
constexpr std::size_t max_game_plies = 1'000;

/// Four plies carry nine tenths of the weight with which the first one's score is smoothed
/// (tools/train/decode.cpp).
constexpr std::size_t sideline_plies = 4;

/// The move that a search has found, with White's score.
RecordedMove recorded_move(const core::Position& position, const BestMove& best) {
    return {*best.move, position.side_to_move() == core::Color::white ? best.score : -best.score};
}

/// Adjudicates a game by the scores of its last plies.
class Adjudicator {
public:
    /// Takes White's score of a ply. The result when the game is decided by it.
    std::optional<GameResult> judge(Score score, int ply) {
        const bool won = std::abs(score) >= won_score;
        const bool same_side = (score > 0) == last_is_white_;
        won_in_a_row_ = won ? (same_side ? won_in_a_row_ + 1 : 1) : 0;
        drawn_in_a_row_ =
            ply >= min_draw_ply && std::abs(score) <= drawn_score ? drawn_in_a_row_ + 1 : 0;
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

/// The result of a game that ended by the rules: drawn unless it is checkmate.
GameResult result_on_board(const core::Game& game) {
    if (game.outcome() != core::Outcome::checkmate)
        return GameResult::drawn;
    return game.position().side_to_move() == core::Color::white ? GameResult::black_won
                                                                : GameResult::white_won;
}

/// The result by the endgame tables. They count from a capture or pawn move on.
std::optional<GameResult> result_by_tables(const tablebase::Tablebases& tables,
                                           const core::Position& position) {
    if (position.halfmove_clock() != 0)
        return std::nullopt;
    const auto wdl = tables.probe_wdl(position);
    if (!wdl)
        return std::nullopt;
    if (*wdl != tablebase::WdlScore::win && *wdl != tablebase::WdlScore::loss)
        return GameResult::drawn;
    const bool white = position.side_to_move() == core::Color::white;
    return white == (*wdl == tablebase::WdlScore::win) ? GameResult::white_won
                                                       : GameResult::black_won;
}

/// Large enough for a game, and no larger: the table is cleared for each game, and a small one
/// stays in the caches.
std::size_t tt_megabytes(std::uint64_t nodes) {
    return std::clamp<std::size_t>(nodes / 125, 1, 8);
}

}  // namespace

SelfPlay::SelfPlay(const SelfPlayRules& rules)
    : rules_{rules},
      search_{tt_megabytes(rules.nodes), evaluate_} {}

std::optional<PlayedGame> SelfPlay::play(std::uint64_t number, const std::atomic<bool>& stop) {
    // Mixing seed and number separately makes the sequences of neighbouring games independent.
    Rng rng{Rng{rules_.seed}.next() ^ Rng{~number}.next()};
    while (!stop) {
        const auto start = random_opening(rng, rules_.chess960_percent);
        if (!start)
            continue;
        search_.clear();
        if (auto game = try_to_play(*start, rng, stop))
            return game;
    }
    return std::nullopt;
}

/// Nothing when the opening is decided, a score is not reliable, or `stop` was set.
std::optional<PlayedGame> SelfPlay::try_to_play(const core::Position& start,
                                                Rng& rng,
                                                const std::atomic<bool>& stop) {
    core::Game game{start};
    const BestMove opening = think(game, opening_factor * rules_.nodes);
    if (std::abs(opening.score) > decided_opening)
        return std::nullopt;

    PlayedGame played;
    played.game.start = start;
    Adjudicator adjudicator;
    int hard_stops = 0;
    while (game.outcome() == core::Outcome::open && played.game.moves.size() < max_game_plies) {
        search::PositionSample evaluated{rng.next()};
        const bool wants_sideline = rng.percent(rules_.sideline_percent);
        const BestMove best = think(game, rules_.nodes, wants_sideline ? &evaluated : nullptr);
        // No root move was searched to its end.
        const bool unknown = std::abs(best.score) == infinite;
        if (unknown || stop)
            return std::nullopt;
        if (reached_hard_limit(rules_.nodes) && ++hard_stops > max_hard_stops)
            return std::nullopt;
        const RecordedMove move = recorded_move(game.position(), best);
        played.game.moves.push_back(move);
        played.game.result = adjudicator.judge(move.score, game.position().game_ply());
        if (played.game.result)
            return played;
        if (evaluated.position()) {
            if (auto sideline = play_sideline(*evaluated.position(), stop))
                played.sidelines.push_back(std::move(*sideline));
        }
        game.play(move.move);
        if (rules_.tablebases && game.outcome() == core::Outcome::open)
            played.game.result = result_by_tables(*rules_.tablebases, game.position());
        if (played.game.result)
            return played;
    }
    played.game.result = result_on_board(game);
    return played;
}

/// Nothing when the position is not for training or is decided, a score is not reliable, or `stop`
/// was set.
std::optional<GameRecord> SelfPlay::play_sideline(const core::Position& start,
                                                  const std::atomic<bool>& stop) {
    if (!may_be_training_position(start))
        return std::nullopt;
    core::Game game{start};
    GameRecord sideline;
    sideline.start = start;
    sideline.result.reset();
    while (game.outcome() == core::Outcome::open && sideline.moves.size() < sideline_plies) {
        const BestMove best = think(game, rules_.nodes);
        if (std::abs(best.score) == infinite || reached_hard_limit(rules_.nodes) || stop)
            return std::nullopt;
        const RecordedMove move = recorded_move(game.position(), best);
        const bool is_first = sideline.moves.empty();
        if (is_first && (!is_training_position(start, move) || std::abs(move.score) >= won_score))
            return std::nullopt;
        sideline.moves.push_back(move);
        game.play(move.move);
    }
    return sideline.moves.empty() ? std::nullopt : std::optional{sideline};
}

/// Searches until the first iteration that ends after that many nodes.
BestMove SelfPlay::think(const core::Game& game,
                         std::uint64_t nodes,
                         search::PositionSample* evaluated) {
    Limits limits;
    limits.soft_nodes = nodes;
    limits.nodes = hard_factor * nodes;
    const Clock clock{limits, game.position().side_to_move(), Milliseconds{0}};
    SearchControl control{limits, clock, listener_};
    const auto moves = core::legal_moves(game.position());
    search::SearchRequest request{game, {moves.begin(), moves.end()}};
    request.evaluated = evaluated;
    return search_.run(request, control);
}

/// Whether the hard limit ended the last search within an iteration.
bool SelfPlay::reached_hard_limit(std::uint64_t nodes) const {
    return search_.nodes() >= hard_factor * nodes;
}

}  // namespace engine::datagen
