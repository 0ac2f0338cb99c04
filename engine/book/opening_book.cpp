#include "engine/book/opening_book.hpp"

#include <numeric>
#include <utility>

#include "core/multiply.hpp"
#include "core/paths.hpp"
#include "core/text.hpp"

namespace engine::book {

namespace {

/// The candidate in whose share of the weights a random number falls.
core::Move draw(const std::vector<BookMove>& candidates, Variety variety, std::uint64_t random) {
    if (variety == Variety::best)
        return candidates.front().move;
    if (variety == Variety::even)
        return candidates[core::mul_hi64(random, candidates.size())].move;
    auto left = core::mul_hi64(random, total_weight(candidates));
    for (const BookMove& candidate : candidates) {
        if (left < candidate.weight)
            return candidate.move;
        left -= candidate.weight;
    }
    return candidates.back().move;
}

}  // namespace

std::uint64_t total_weight(const std::vector<BookMove>& moves) {
    return std::accumulate(
        moves.begin(), moves.end(), std::uint64_t{0},
        [](std::uint64_t sum, const BookMove& move) { return sum + move.weight; });
}

int percent(const BookMove& move, std::uint64_t total) {
    return total == 0 ? 0
                      : static_cast<int>((std::uint64_t{200} * move.weight + total) / (2 * total));
}

core::Result<OpeningBook> OpeningBook::open(const std::string& path) {
    OpeningBook opened;
    for (const std::string& file : core::split_paths(path)) {
        auto book = PolyglotBook::open(file);
        if (!book)
            return core::Error{core::quoted(file) + ": " + book.reason()};
        opened.books_.push_back({file, std::move(*book)});
    }
    if (opened.books_.empty())
        return core::Error{"no file name given"};
    return opened;
}

std::optional<BookChoice> OpeningBook::choose(const core::Game& game,
                                              Variety variety,
                                              std::uint64_t random) {
    for (auto& [file, book] : books_) {
        auto candidates = book.moves(game);
        std::erase_if(candidates, [](const BookMove& candidate) { return candidate.weight == 0; });
        if (candidates.empty())
            continue;
        const core::Move move = draw(candidates, variety, random);
        return BookChoice{move, std::move(candidates), file};
    }
    return std::nullopt;
}

}  // namespace engine::book
