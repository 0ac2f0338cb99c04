#pragma once

#include "core/game.hpp"

#include "engine/commands_responses.hpp"
#include "engine/options.hpp"
#include "engine/search/search.hpp"

namespace engine {

/// The thread that does the work. It owns the game, the options, the clock of each search and
/// the search itself, takes one command after the other and answers through the same link; it
/// needs no lock because nobody else touches what it owns.
class MainTask {
public:
    explicit MainTask(CommandsResponses& link);

    /// Takes and handles commands until Quit.
    void run();

private:
    void handle(const SetOption& command);
    void handle(const NewGame& command);
    void handle(const SetGame& command);
    void handle(const TakeGame& command);
    void handle(const Go& command);
    void handle(const Perft& command);
    void handle(const Bench& command);
    void handle(const Ask& command);
    // These two mean something only to a running search, and Quit ends the loop.
    void handle(const Stop& /*command*/) {}
    void handle(const PonderHit& /*command*/) {}
    void handle(const Quit& /*command*/) {}

    void load_network(const std::string& path);
    bool apply(OptionEffect effect);
    std::optional<PerftReport> count_leaves(int depth);
    Snapshot snapshot(const Ask& question) const;
    core::CastlingStyle castling() const;
    std::vector<core::Move> root_moves(const std::vector<std::string>& wanted);
    BestMove find_best_move(const Limits& limits, SearchControl& control);

    CommandsResponses& link_;
    Options options_;
    core::Game game_;
    Search search_;
};

}  // namespace engine
