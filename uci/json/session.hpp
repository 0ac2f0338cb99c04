#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/game.hpp"

#include "engine/response.hpp"

#include "uci/json/game_clock.hpp"
#include "uci/json/request.hpp"
#include "uci/json/response.hpp"

namespace uci::json {

/// Which participants of a game receive an answer. A rejected request has changed nothing.
enum class Audience : std::uint8_t { everyone, sender, rejected_sender_only };

/// The answer to a request: one message or several, in this order.
struct Answer {
    std::vector<std::string> messages;
    Audience audience = Audience::everyone;
    /// The request was rejected only because the server cannot do its work now.
    bool is_unavailable = false;
};

/// A move to explain, the best one if there is none, in the last position of a game that is not
/// over.
struct ExplanationTask {
    core::Game game;
    std::optional<core::Move> move;
    engine::explain::Language language = engine::explain::Language::english;
};

/// An answer, or the limits of a search or the explanation that must finish before there is one.
/// The limits count from when the request was handled; a caller that queues the search sets their
/// arrival again.
using SessionResult = std::variant<Answer, engine::Limits, ExplanationTask>;

/// The answer to an invalid or impossible request.
Answer rejection();
/// The answer to a request for a hint, from what a search of the position has found.
Answer hint_answer(const core::Position& position, const engine::BestMove& best);

/// What is to be explained in a game; nothing when there is no such move or the game was over then.
std::optional<ExplanationTask> explanation_task(const core::Game& game, const Explain& request);
/// The answer to a request for an explanation.
Answer explanation_answer(const ExplanationTask& task,
                          const std::optional<engine::explain::Explanation>& explanation);

/// Endgame tables that sessions share; null for none.
using SharedTablebases = std::shared_ptr<const engine::tablebase::Tablebases>;

/// Everything that a session must know to go on later.
struct SessionState {
    core::Game game;
    std::uint64_t games_before = 0;
    std::optional<PieceMove> promoting;  ///< the pawn move that waits for its promotion choice
    std::optional<Ending> ending;
    bool is_searching = false;  ///< the engine searches a move to play
    std::optional<GameClockState> clock{};
};

/// One conversation in JSON messages: a game, and which requests it accepts next. A value without
/// threads or I/O, used by one thread at a time; thousands of sessions may share an engine.
class Session {
public:
    explicit Session(Spelling spelling = Spelling::correct, SharedTablebases tablebases = nullptr)
        : spelling_{spelling},
          tablebases_{std::move(tablebases)} {}

    SessionState state() const;
    /// Goes on with the game of that state, whose clock runs on from now. A promotion that is not
    /// legal there and a search in a game that is over are left out.
    void restore(const SessionState& state);

    /// Handles a message from a client. While the engine searches every message is rejected, so
    /// callers that want messages to wait queue them themselves.
    SessionResult handle_message(std::string_view message);
    SessionResult handle_request(const Request& request);
    /// Ends the search with its result; without a move when the engine could not search. Only
    /// while is_thinking().
    Answer finish(const engine::BestMove& best);
    /// The same for an explanation.
    Answer finish(const ExplanationTask& task,
                  const std::optional<engine::explain::Explanation>& explanation);

    /// Ends the game, for everybody, if the time of the player to move is over; nothing otherwise.
    /// In a game with clocks it belongs before every request, every search result, and at
    /// clock()->flag_time(). A search that runs must be stopped then; finish() rejects its result.
    std::optional<Answer> end_by_clock();

    /// Ends a game by agreement; rejects it unless the player to move may move now.
    Answer agree_draw();
    /// Begins another game from the same position after the end of one, in which the players have
    /// changed colours and keep their time; rejects it before.
    Answer begin_rematch();

    bool is_thinking() const { return std::holds_alternative<Thinking>(state_); }
    /// Whether the player to move may move now.
    bool is_playing() const { return std::holds_alternative<Playing>(state_); }
    bool is_over() const { return std::holds_alternative<Ending>(state_); }
    /// The pawn move that waits for its promotion choice.
    std::optional<PieceMove> promoting() const;
    /// How the game ended, once it has.
    std::optional<Ending> ending() const;
    const core::Game& game() const { return game_; }
    /// The clocks, if the game has any.
    const std::optional<GameClock>& clock() const { return clock_; }
    /// How many games have been played here before this one.
    std::uint64_t games_before() const { return games_before_; }

private:
    struct Playing {};
    /// A pawn has been moved to the last rank, but not promoted yet.
    struct Promoting {
        PieceMove move;
    };
    /// The engine searches, for a move to play, for a hint or for an explanation.
    struct Thinking {
        bool plays = false;
        std::optional<Ending>
            ending{};  ///< of a game that was over before, or has ended by the clock
    };

    SessionResult handle(const PieceMove& request);
    SessionResult handle(const PromotionChoice& request);
    SessionResult handle(const NewGame& request);
    SessionResult handle(const ClockRequest& request);
    SessionResult handle(const LoadPgn& request);
    SessionResult handle(const GetLegalMoveset& request);
    SessionResult handle(const Resignation& request);
    SessionResult handle(const Timeout& request);
    SessionResult handle(const TakeBack& request);
    SessionResult handle(const EngineMove& request);
    SessionResult handle(const Hint& request);
    SessionResult handle(const Explain& request);
    SessionResult handle(const Tablebase& request);

    void set_game(core::Game game);
    SessionResult start_search(const engine::Limits& limits, bool plays);
    Answer play(core::Move move);
    Answer end(const Ending& ending);
    Answer state_messages(const Events& events) const;

    core::Game game_;
    std::optional<GameClock> clock_;
    std::uint64_t games_before_ = 0;
    std::variant<Playing, Promoting, Thinking, Ending> state_;
    Spelling spelling_;
    SharedTablebases tablebases_;
};

}  // namespace uci::json
