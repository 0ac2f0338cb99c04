#include "engine/datagen/balanced_openings.hpp"

#include <cstdlib>
#include <unordered_set>

#include "core/movegen.hpp"

#include "engine/datagen/random_opening.hpp"
#include "engine/search/search.hpp"

namespace engine::datagen {

namespace {

/// An opening in which one side is ahead by more than this is dropped, as datagen does.
constexpr Score decided_opening = 200;
constexpr std::uint64_t opening_nodes = 10'000;
constexpr std::size_t tt_megabytes = 1;
/// Random plies behind a position of a book.
constexpr int plies_behind_book = 4;
/// After this many draws in a row without a new opening, the search for more ends.
constexpr int max_failures = 1'000;

/// Judges openings by short searches.
class Judge {
public:
    bool is_balanced(const core::Position& position) {
        const core::Game game{position};
        const auto moves = core::legal_moves(position);
        Limits limits;
        limits.nodes = opening_nodes;
        SearchListener listener;
        const Clock clock{limits, position.side_to_move(), Milliseconds{0}};
        SearchControl control{limits, clock, listener};
        search_.clear();
        const BestMove best = search_.run({game, {moves.begin(), moves.end()}}, control);
        return std::abs(best.score) <= decided_opening;
    }

private:
    evaluate::Evaluate evaluate_;
    search::Search search_{tt_megabytes, evaluate_};
};

std::optional<core::Position> draw(Rng& rng, const OpeningRules& rules) {
    if (rules.book.empty())
        return random_opening(rng, rules.chess960_percent);
    return random_moves(rng, rules.book[rng.uniform(rules.book.size())], plies_behind_book);
}

}  // namespace

void draw_openings(const OpeningRules& rules,
                   const std::function<bool(const core::Position&)>& take) {
    Rng rng{Rng{rules.seed}.next()};
    Judge judge;
    std::unordered_set<core::Key> drawn;
    for (int failures = 0; failures < max_failures; ++failures) {
        const auto position = draw(rng, rules);
        if (!position || drawn.contains(position->key()) || !judge.is_balanced(*position))
            continue;
        drawn.insert(position->key());
        failures = 0;
        if (!take(*position))
            return;
    }
}

}  // namespace engine::datagen
