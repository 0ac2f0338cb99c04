#include "engine/book/book_builder.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace engine::book {

namespace {

/// Weights have 16 bits. As in make-book, all counts of a position are halved when one reaches
/// this.
constexpr std::uint32_t too_many = 16'384;

/// What a game gave to a player: 2 for a win, 1 for a draw.
std::uint32_t half_points_of(core::Color player, const std::string& result) {
    if (result != "1-0" && result != "0-1")
        return 1;
    return (result == "1-0") == (player == core::Color::white) ? 2 : 0;
}

bool by_key_and_weight(const PolyglotEntry& a, const PolyglotEntry& b) {
    return a.key != b.key ? a.key < b.key : a.weight > b.weight;
}

}  // namespace

bool BookBuilder::is_wanted(core::Color player, const core::Pgn& pgn) const {
    if (rules_.only && *rules_.only != player)
        return false;
    return rules_.player.empty()
        || pgn.tag(player == core::Color::white ? "White" : "Black") == rules_.player;
}

void BookBuilder::add(const core::Pgn& pgn) {
    core::Game game{pgn.game.start()};
    for (const core::Move move : pgn.game.moves()) {
        if (game.moves().size() >= static_cast<std::size_t>(rules_.max_ply))
            break;
        const core::Color player = game.position().side_to_move();
        if (is_wanted(player, pgn)) {
            Moves& moves = positions_[polyglot_key(game)];
            Statistics& statistics = moves[polyglot_code(move)];
            ++statistics.games;
            statistics.half_points += half_points_of(player, pgn.result);
            if (statistics.half_points >= too_many) {
                for (auto& [code, other] : moves)
                    other = {(other.games + 1) / 2, (other.half_points + 1) / 2};
            }
        }
        game.play(move);
    }
}

bool BookBuilder::is_kept(const Statistics& move, std::uint64_t all_half_points) const {
    const std::uint64_t half_points = move.half_points;
    return half_points > 0 && move.games >= static_cast<std::uint32_t>(rules_.min_games)
        && half_points * 100
               >= std::uint64_t{2} * move.games * static_cast<std::uint64_t>(rules_.min_score)
        && half_points * 100 >= all_half_points * static_cast<std::uint64_t>(rules_.min_percent);
}

std::vector<PolyglotEntry> BookBuilder::entries() const {
    std::vector<PolyglotEntry> entries;
    for (const auto& [key, moves] : positions_) {
        const auto all = std::accumulate(
            moves.begin(), moves.end(), std::uint64_t{0},
            [](std::uint64_t sum, const auto& move) { return sum + move.second.half_points; });
        for (const auto& [code, move] : moves) {
            if (is_kept(move, all))
                entries.push_back(
                    {key, code, static_cast<std::uint16_t>(rules_.uniform ? 1 : move.half_points),
                     0});
        }
    }
    std::stable_sort(entries.begin(), entries.end(), by_key_and_weight);
    return entries;
}

std::vector<PolyglotEntry> merge(const std::vector<PolyglotEntry>& first,
                                 const std::vector<PolyglotEntry>& second) {
    const auto knows = [&first](const PolyglotEntry& entry) {
        return std::binary_search(first.begin(), first.end(), entry,
                                  [](const auto& a, const auto& b) { return a.key < b.key; });
    };
    std::vector<PolyglotEntry> merged = first;
    std::remove_copy_if(second.begin(), second.end(), std::back_inserter(merged), knows);
    std::stable_sort(merged.begin(), merged.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    return merged;
}

}  // namespace engine::book
