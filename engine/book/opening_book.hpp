#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/book/polyglot_book.hpp"

namespace engine::book {

/// How a move is chosen among those of a book: the heaviest; at random by weight; at random, each
/// move as likely as the others.
enum class Variety : std::uint8_t { best, weighted, even };

/// What a book proposes.
struct BookChoice {
    core::Move move;
    std::vector<BookMove> candidates;  ///< all moves of weight above 0, the heaviest first
    std::string file;                  ///< the book that knows the position
};

/// The share of a move in a total weight, in whole percent.
int percent(const BookMove& move, std::uint64_t total);
/// The sum of the weights.
std::uint64_t total_weight(const std::vector<BookMove>& moves);

/// Books that are asked one after the other: the first that knows a position answers. Belongs to
/// one thread.
class OpeningBook {
public:
    /// Opens the files of a list (core::split_paths()). Error: which file is no book, and why.
    static core::Result<OpeningBook> open(const std::string& path);

    /// A move for the game's position; nothing if no book has a legal one of weight above 0.
    /// `random` is a uniformly distributed number.
    std::optional<BookChoice> choose(const core::Game& game, Variety variety, std::uint64_t random);

private:
    struct NamedBook {
        std::string file;
        PolyglotBook book;
    };

    std::vector<NamedBook> books_;
};

}  // namespace engine::book
