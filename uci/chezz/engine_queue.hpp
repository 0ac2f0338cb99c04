#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>

#include "engine/general_interface.hpp"

namespace uci::chezz {

/// Where the games wait in which it is the engine's turn. One engine thinks about one after the
/// other, in the order in which they came; the more wait, the less time each is given, so that
/// none waits long. Belongs to one thread, which also brings what the engine says.
class EngineQueue {
public:
    using Milliseconds = std::chrono::milliseconds;
    /// Takes the engine's move; nothing when it has none.
    using Done = std::function<void(std::optional<core::Move>)>;

    /// So many games may wait at a time.
    static constexpr std::size_t most_waiting = 500;
    /// In about this time all that wait now shall have had their turn.
    static constexpr Milliseconds longest_round{5'000};
    static constexpr Milliseconds shortest_time{5};

    explicit EngineQueue(engine::GeneralInterface& engine) : engine_{engine} {}

    /// Asks for a move in a game, and wishes that much time for it; false when too many wait.
    bool ask(const core::Game& game, Milliseconds wish, Done done);
    /// Something that the engine said.
    void take(const engine::Response& response);

    bool is_full() const { return waiting_.size() >= most_waiting; }
    /// The time for a move when so many games wait, that one included.
    static Milliseconds share(Milliseconds wish, std::size_t waiting);

private:
    struct Request {
        core::Game game;
        Milliseconds wish;
        Done done;
    };

    void begin();

    engine::GeneralInterface& engine_;
    std::deque<Request> waiting_;  ///< the first one is being thought about
};

}  // namespace uci::chezz
