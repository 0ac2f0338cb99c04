#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/commands_responses.hpp"
#include "engine/tasking.hpp"

namespace engine {

/// The engine as the protocols see it. Commands return at once and the Main Task handles them in
/// order; its responses come out of next_response(). Every function may be called from any
/// thread; only next_response() and the functions that begin with wait may block.
class GeneralInterface {
public:
    /// Starts the Main Task.
    GeneralInterface();
    /// Ends the Main Task and its search.
    ~GeneralInterface();
    GeneralInterface(const GeneralInterface&) = delete;
    GeneralInterface& operator=(const GeneralInterface&) = delete;
    GeneralInterface(GeneralInterface&&) = delete;
    GeneralInterface& operator=(GeneralInterface&&) = delete;

    static std::string_view name();
    static std::string_view version();
    static std::string_view author();

    /// Sends a command to the Main Task. The functions below do the same under a name.
    void post(Command command) { queue_.post(std::move(command)); }

    void set_option(std::string name, std::string value) {
        post(SetOption{std::move(name), std::move(value)});
    }
    void new_game() { post(NewGame{}); }
    /// Sets the game to search, see SetGame. If the FEN or a move is refused, the game stays as it
    /// was.
    void set_game(std::optional<std::string> fen,
                  std::vector<std::string> moves,
                  core::Key salt = 0) {
        post(SetGame{std::move(fen), std::move(moves), salt});
    }
    void set_game(core::Game game, core::Key salt = 0, std::uint64_t level_seed = 0) {
        post(SetGameTo{std::move(game), salt, level_seed});
    }
    /// Starts a search; answered by exactly one BestMove.
    void go(Limits limits) { post(Go{std::move(limits)}); }
    void stop() { post(Stop{}); }
    void ponder_hit() { post(PonderHit{}); }
    /// Answered by a Snapshot with that id, even during a search.
    void ask(std::uint64_t id, SnapshotDetail detail = SnapshotDetail::game) {
        post(Ask{id, detail});
    }
    /// Answered by a PerftReport, or a Notice when it was stopped.
    void perft(int depth) { post(Perft{depth}); }
    /// Answered by a BenchReport, or a Notice when it was stopped.
    void bench(std::optional<int> depth) { post(Bench{depth}); }
    /// Answered by Explained, Refused, or a Notice when it was stopped.
    void why(std::optional<std::string> move) { post(Why{std::move(move)}); }
    /// Ends the Main Task; a running search still sends its BestMove. After that there are no
    /// more responses.
    void quit() { post(Quit{}); }

    /// Appends Synced{id} to the responses at once, past all commands: a marker for what a client
    /// writes itself between responses. False when it was dropped because nobody reads responses.
    bool sync(std::uint64_t id) { return queue_.send(Synced{id}); }

    /// Waits until all commands so far have been handled, or a search is running.
    void wait_until_ready() { queue_.wait_until(WaitFor::ready); }
    /// Waits until all commands so far have been handled and no search is running.
    void wait_until_idle() { queue_.wait_until(WaitFor::idle); }
    /// The same, but at most that long. Whether it came to that.
    bool wait_until_idle(Milliseconds max_wait) {
        return queue_.wait_until(WaitFor::idle, max_wait);
    }
    /// Waits until no perft, bench or explanation is running or waiting, but at most that long.
    /// Whether it came to that.
    bool wait_for_reports(Milliseconds max_wait) {
        return queue_.wait_until(WaitFor::all_reports, max_wait);
    }
    /// The next response; waits for it. Nothing when the Main Task has ended.
    std::optional<Response> next_response() { return queue_.next_response(); }

private:
    CommandsResponses queue_;
    Task task_;
};

}  // namespace engine
