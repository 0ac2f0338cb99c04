#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "core/pgn.hpp"

#include "engine/book/polyglot_entry.hpp"

namespace engine::book {

/// Which moves of which games become entries of a book.
struct BuildRules {
    int max_ply = 40;      ///< plies of each game
    int min_games = 3;     ///< games in which a move was played
    int min_score = 40;    ///< percent of the points that its player got from these games
    int min_percent = 5;   ///< share of a move in the weights of its position
    bool uniform = false;  ///< all weights 1
    std::optional<core::Color> only;  ///< moves of this side alone
    std::string player;               ///< moves of this player alone; empty for both
};

/// Collects the moves of games and makes a book of them. A move's weight is what Polyglot's
/// make-book gives it: two for each game that its player won, one for each draw.
class BookBuilder {
public:
    explicit BookBuilder(BuildRules rules) : rules_{std::move(rules)} {}

    /// Adds a game's moves. A result that is not known counts as a draw, as in make-book.
    void add(const core::Pgn& pgn);
    /// The entries in the order of a file: by key, then by weight, the heaviest first.
    std::vector<PolyglotEntry> entries() const;

private:
    struct Statistics {
        std::uint32_t games = 0;
        std::uint32_t half_points = 0;
    };
    using Moves = std::map<std::uint16_t, Statistics>;

    bool is_wanted(core::Color player, const core::Pgn& pgn) const;
    bool is_kept(const Statistics& move, std::uint64_t all_half_points) const;

    BuildRules rules_;
    std::map<core::Key, Moves> positions_;
};

/// Merges two sorted books. For a position that both have, takes the entries of the first.
std::vector<PolyglotEntry> merge(const std::vector<PolyglotEntry>& first,
                                 const std::vector<PolyglotEntry>& second);

}  // namespace engine::book
