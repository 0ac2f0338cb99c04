#pragma once

#include <string>
#include <variant>

#include "engine/limits.hpp"

#include "uci/chenserver/notation.hpp"
#include "uci/chenserver/question.hpp"
#include "uci/chenserver/shelf.hpp"

namespace uci::chenserver {

/// A question that the engine must think about.
struct Thinking {
    Verb verb = Verb::think;  ///< think, hint or evaluate
    std::string game_name;
    core::Game game;
    engine::Milliseconds time{0};
};

/// Knows the games and answers what needs no thinking, word by word as ChenServer does; the
/// answers to `think` are put together here too. No threads, no input, no output.
class Clerk {
public:
    /// An answer without its line end, or what to think about first.
    std::variant<std::string, Thinking> answer(const Question& question, Shelf::Time now);
    /// The answer once the engine has found a move; `think` plays it.
    std::string finish(const Thinking& thinking, core::Move move, Shelf::Time now);

private:
    Shelf shelf_;
};

}  // namespace uci::chenserver
