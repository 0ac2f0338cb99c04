#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>

#include "core/game.hpp"

#include "engine/book/opening_book.hpp"
#include "engine/commands_responses.hpp"
#include "engine/evaluate/evaluate.hpp"
#include "engine/options.hpp"
#include "engine/search/search.hpp"
#include "engine/tablebase/tablebases.hpp"

namespace engine {

/// Handles one command after the other, on a thread of its own, and sends the responses. It owns
/// the game, the options, the evaluation, the book, the tablebases and the search, and makes a
/// clock for each go; it needs no lock because no other thread uses what it owns.
class MainTask {
public:
    explicit MainTask(CommandsResponses& queue);

    /// Takes and handles commands until Quit.
    void run();

private:
    class Listener;

    void handle(const SetOption& command);
    void handle(const NewGame& command);
    void handle(const SetGame& command);
    void handle(const SetGameTo& command);
    void handle(const Go& command);
    void handle(const Perft& command);
    void handle(const Bench& command);
    void handle(const Ask& command);
    void handle(const Why& command);
    // Stop and PonderHit only concern a running search; Quit ends the loop.
    void handle(const Stop& /*command*/) {}
    void handle(const PonderHit& /*command*/) {}
    void handle(const Quit& /*command*/) {}

    void load_network(const std::string& path);
    void load_tablebases(const std::string& path);
    void load_book(const std::string& path);
    void save_hash();
    void load_hash();
    std::optional<core::Move> book_move(const Limits& limits);
    void report_missing_tables();
    bool apply(OptionEffect effect);
    std::optional<PerftReport> count_leaves(int depth);
    Snapshot snapshot(const Ask& request) const;
    core::CastlingStyle castling() const;
    std::vector<core::Move> root_moves(const std::vector<std::string>& wanted);
    BestMove find_best_move(const Limits& wanted);
    std::optional<StrengthLevel> level(const Limits& limits) const;
    std::uint64_t level_seed() const;
    BestMove game_over(SearchControl& control);

    CommandsResponses& queue_;
    Options options_;
    core::Game game_;
    core::Key salt_ = 0;            ///< of the game
    std::uint64_t level_seed_ = 0;  ///< of SetGameTo
    evaluate::Evaluate evaluate_;
    search::Search search_;
    std::shared_ptr<const tablebase::Tablebases> tablebases_;  ///< null without a path
    std::string tablebase_path_;
    std::optional<book::OpeningBook> book_;
    std::string book_path_;
    std::string hash_file_;                           ///< empty for none
    std::mt19937_64 random_{std::random_device{}()};  ///< for moves from the book, and seeds
    std::uint64_t game_seed_ = random_();             ///< another one in each game
};

}  // namespace engine
