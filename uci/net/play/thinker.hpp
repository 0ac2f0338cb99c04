#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/game.hpp"

#include "engine/general_interface.hpp"

namespace uci::net::play {

/// Where all games queue for the one engine. Requests are searched in the order in which they
/// came; who brings only one at a time, as games do, has a fair share. What time they leave goes
/// to the analyses, turn by turn; a request ends an analysis that is running at once. Belongs to
/// the thread of its io_context, which also brings what the engine says.
class Thinker {
public:
    struct Task {
        core::Game game;
        engine::Limits limits;
        std::function<void(const engine::BestMove&)> done;
    };
    using Tell = std::function<void(const engine::Info&)>;

    Thinker(engine::GeneralInterface& engine, boost::asio::io_context& io);

    /// Has a task done in its turn; false when too many wait.
    bool think(Task task);
    /// Tells what the engine makes of a game from now on, in place of what was analysed under
    /// that name before; false when there are too many analyses. One that has come to its end is
    /// none any more.
    bool analyse(const std::string& name, core::Game game, Tell tell);
    /// Ends an analysis.
    void forget(const std::string& name);

    /// Something that the engine said.
    void take(const engine::Response& response);

private:
    using Time = std::chrono::steady_clock::time_point;

    struct Analysis {
        std::string name;
        core::Game game;
        Tell tell;  ///< none once it is forgotten
        engine::Milliseconds left;
        int depth_told = 0;
    };

    void go_on();
    void begin_task();
    void begin_analysis();
    void go(const core::Game& game, engine::Limits limits);
    void stop();
    void limit_turn();
    void hear(const engine::Info& info);
    void tell();
    void finish(const engine::BestMove& best);
    void finish_analysis();

    engine::GeneralInterface& engine_;
    boost::asio::steady_timer turn_;
    std::deque<Task> tasks_;
    std::map<std::string, std::shared_ptr<Analysis>> analyses_;
    std::deque<std::shared_ptr<Analysis>> turns_;  ///< those that go on, the next one first

    // What the engine is doing: one of these or nothing.
    std::optional<Task> task_;
    std::shared_ptr<Analysis> analysis_;

    Time began_;
    engine::Milliseconds turn_length_{0};
    bool stopped_ = false;
    std::optional<engine::Info> heard_;  ///< and not yet told
    Time told_;
};

}  // namespace uci::net::play
