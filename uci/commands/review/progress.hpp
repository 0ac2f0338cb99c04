#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

namespace uci::commands {

/// How far the review of games has come: a line on the terminal that is written again and again.
/// Nothing where nobody watches.
class Progress {
public:
    /// The size of all games together in bytes, if it is known: then the time left is that for all
    /// of them, otherwise that for the current one.
    explicit Progress(std::optional<std::uint64_t> all_bytes) : all_bytes_{all_bytes} {}

    void begin_game(std::size_t bytes, std::size_t positions);
    /// Counts the game as done, reviewed or not.
    void end_game(std::size_t bytes);
    /// From any thread.
    void add_position();
    /// Makes room for another line on the terminal.
    void erase() const;

private:
    using Clock = std::chrono::steady_clock;

    void show() const;
    /// The part of the work that is done, more than 0 and at most 1.
    double part_done() const;

    const bool shown_ = is_watched();
    static bool is_watched();
    const std::optional<std::uint64_t> all_bytes_;
    mutable std::mutex mutex_;  ///< guards what follows
    int game_ = 1;
    std::size_t positions_ = 0;
    std::size_t done_ = 0;
    std::uint64_t bytes_before_ = 0;  ///< of the games that are done
    std::size_t bytes_ = 0;           ///< of this one
    Clock::time_point began_ = Clock::now();
    Clock::time_point shown_at_;
};

}  // namespace uci::commands
