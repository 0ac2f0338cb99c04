#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>

#include "engine/general_interface.hpp"

#include "uci/chezz/limits.hpp"

namespace uci::chezz {

/// Where the games wait in which it is the engine's turn. One engine thinks about one after the
/// other, in the order in which they came, in rounds: all that wait when a round begins share its
/// time, so that none waits for longer than the rest of one round and the whole of another.
/// Belongs to one thread, which also brings what the engine says.
class EngineQueue {
public:
    using Milliseconds = std::chrono::milliseconds;
    /// Takes the engine's move; nothing when it has none.
    using Done = std::function<void(std::optional<core::Move>)>;

    explicit EngineQueue(engine::GeneralInterface& engine) : engine_{engine} {}

    /// Asks for a move in a game, and wishes that much time for it; false when too many wait.
    bool ask(const core::Game& game, Milliseconds wish, Done done);
    /// Something that the engine said.
    void take(const engine::Response& response);

    bool is_full() const { return waiting_.size() >= Limits::waiting_for_engine; }
    /// The time for a move in a round of so many.
    static Milliseconds share(Milliseconds wish, std::size_t games);

private:
    struct Request {
        core::Game game;
        Milliseconds wish;
        Done done;
    };

    void begin();

    engine::GeneralInterface& engine_;
    std::deque<Request> waiting_;  ///< the first one is being thought about
    std::size_t in_round_ = 0;     ///< so many games share the present round
    std::size_t left_in_round_ = 0;
};

}  // namespace uci::chezz
