#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/game.hpp"

#include "engine/response.hpp"

#include "uci/json/request.hpp"
#include "uci/json/text.hpp"

namespace uci::json {

/// Who, of all who follow a game, is told an answer. A refused request changed nothing.
enum class Audience : std::uint8_t { everyone, sender, sender_refused };

/// What is said to a request: one message or several, in this order.
struct Answer {
    std::vector<std::string> messages;
    Audience audience = Audience::everyone;
};

/// An answer, or how long the engine has to think about the game before there is one. The limits
/// count from when the request was taken; whoever lets it wait sets their arrival anew.
using Step = std::variant<Answer, engine::Limits>;

/// The answer to what cannot be done.
Answer refused();

/// One conversation in JSON messages: a game and what is expected next. A value without threads
/// or input and output, for one thread at a time; thousands of them may share an engine.
class Session {
public:
    explicit Session(Spelling spelling = Spelling::correct) : spelling_{spelling} {}

    /// Takes a message from a client. While the engine thinks, every one is refused: who wants
    /// it to wait keeps it back.
    Step take(std::string_view message);
    Step take(const Request& request);
    /// What the engine has found, or no move when it could not think. Only while is_thinking().
    Answer finish(const engine::BestMove& best);

    bool is_thinking() const { return std::holds_alternative<Thinking>(state_); }
    bool is_over() const { return std::holds_alternative<Ending>(state_); }
    /// The move of the pawn that waits for what it becomes.
    std::optional<PieceMove> promoting() const;
    /// How the game ended, once it has.
    std::optional<Ending> ending() const;
    const core::Game& game() const { return game_; }

private:
    struct Playing {};
    /// A pawn waits in front of the last rank until the client says what it becomes.
    struct Promoting {
        PieceMove move;
    };
    struct Thinking {
        bool plays;
    };

    Step handle(const PieceMove& request);
    Step handle(const PromotionChoice& request);
    Step handle(const NewGame& request);
    Step handle(const GetLegalMoveset& request);
    Step handle(const Resignation& request);
    Step handle(const Timeout& request);
    Step handle(const EngineMove& request);
    Step handle(const Hint& request);

    bool is_playing() const { return std::holds_alternative<Playing>(state_); }
    Step think(const engine::Limits& limits, bool plays);
    Answer play(core::Move move);
    Answer end(const Ending& ending);
    Answer situation(const Events& events) const;

    core::Game game_;
    std::variant<Playing, Promoting, Thinking, Ending> state_;
    Spelling spelling_;
};

}  // namespace uci::json
