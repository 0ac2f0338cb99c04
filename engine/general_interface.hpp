#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/commands_responses.hpp"
#include "engine/tasking.hpp"

namespace engine {

/// The engine as others see it. Requests return at once and are handled in order by the Main
/// Task; what it has to say comes out of next_response(). May be called from any thread; only
/// the functions that begin with wait, and next_response, may block.
class GeneralInterface {
public:
    /// Starts the Main Task.
    GeneralInterface();
    /// Ends it, and whatever it is doing.
    ~GeneralInterface();
    GeneralInterface(const GeneralInterface&) = delete;
    GeneralInterface& operator=(const GeneralInterface&) = delete;
    GeneralInterface(GeneralInterface&&) = delete;
    GeneralInterface& operator=(GeneralInterface&&) = delete;

    static std::string_view name();
    static std::string_view version();
    static std::string_view author();

    void set_option(std::string name, std::string value);
    void new_game();
    /// The start of the game (the usual one when there is no FEN) and the moves played. A
    /// refused one leaves the game as it was.
    void set_game(std::optional<std::string> fen, std::vector<std::string> moves);
    void set_game(core::Game game);
    /// Begins a search; answered by exactly one BestMove.
    void go(Limits limits);
    void stop();
    void ponder_hit();
    /// Answered by a Snapshot, also during a search.
    void ask(std::string subject);
    /// Answered by a PerftReport, or a Notice when it was stopped.
    void perft(int depth);
    /// Answered by a BenchReport, or a Notice when it was stopped.
    void bench(std::optional<int> depth);
    /// Answered by the same words, after everything that was sent before.
    void echo(std::string text);
    /// Ends the Main Task; a running search still gives its BestMove. After that there is no
    /// response any more.
    void quit();

    /// Waits until everything so far has been handled, or a search is running.
    void wait_until_ready();
    /// Waits until everything so far has been handled and no search is running.
    void wait_until_idle();
    /// The same, but not for longer than that.
    void wait_until_idle(Milliseconds longest);
    /// Waits until no perft or bench is running or waiting, but not for longer than that.
    void wait_for_counts(Milliseconds longest);
    /// The next response; waits for it. Nothing when the Main Task has ended.
    std::optional<Response> next_response();

private:
    CommandsResponses link_;
    Task task_;
};

}  // namespace engine
