#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "engine/book/polyglot_entry.hpp"

namespace engine::book {

/// A move that a book knows.
struct BookMove {  // NOLINT(cppcoreguidelines-pro-type-member-init): a move has no default
    core::Move move;
    std::uint16_t weight = 0;
};

/// A Polyglot book on disk. A position is found by some twenty reads, so that even a large book
/// needs no memory. Belongs to one thread.
class PolyglotBook {
public:
    /// Error: why the file cannot be opened, or why it is no book: its size is not a multiple of
    /// 16 bytes, or its keys are not in ascending order.
    static core::Result<PolyglotBook> open(const std::string& path);

    /// All entries, in the order of the file. Error: it can no longer be read.
    core::Result<std::vector<PolyglotEntry>> entries();
    /// The moves for the game's position, the heaviest first. Codes of illegal moves are left out:
    /// keys may collide. None if the file can no longer be read.
    std::vector<BookMove> moves(const core::Game& game);

private:
    PolyglotBook(std::ifstream file, std::uint64_t entry_count)
        : file_{std::move(file)},
          entry_count_{entry_count} {}

    std::optional<core::Error> check_order();
    void go_to(std::uint64_t index);
    std::optional<PolyglotEntry> read_next();
    std::uint64_t first_at_least(core::Key key);

    std::ifstream file_;
    std::uint64_t entry_count_;
};

}  // namespace engine::book
