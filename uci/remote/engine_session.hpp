#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/general_interface.hpp"

#include "uci/dialect.hpp"

namespace uci::remote {

/// An engine of its own and the conversation with it, held in a thread of its own. All functions
/// may be called from any thread, and none waits but the destructor.
class EngineSession {
public:
    /// Called in threads of the session.
    struct Events {
        std::function<void(std::string line)> on_line;  ///< each line that the engine says
        std::function<void()> on_end;                   ///< the last call
    };

    /// `options` are set before the conversation begins.
    EngineSession(const DialectInfo& dialect,
                  const std::vector<engine::SetOption>& options,
                  Events events);
    /// Ends the conversation and waits for its end.
    ~EngineSession();
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;
    EngineSession(EngineSession&&) = delete;
    EngineSession& operator=(EngineSession&&) = delete;

    /// Says a line to the engine.
    void say(std::string line);
    /// Ends the search and the conversation, whatever has not been handled yet. on_end() follows.
    void end();
    /// Bytes of the lines that the engine has not taken yet.
    std::size_t unread_bytes() const;

private:
    class LineTransport;

    void converse(const DialectInfo& dialect, const std::vector<engine::SetOption>& options);
    void set_options(const std::vector<engine::SetOption>& options);
    std::optional<std::string> next_line();
    void limit_waiting_commands(std::size_t next_bytes);
    void receive(std::string_view text);

    Events events_;
    engine::GeneralInterface engine_;
    mutable std::mutex mutex_;  ///< guards what follows
    std::condition_variable said_;
    std::deque<std::string> lines_;
    std::size_t unread_bytes_ = 0;
    int searches_ = 0;  ///< `go` lines that the engine has taken and not answered yet
    bool ended_ = false;

    std::size_t taken_bytes_ = 0;  ///< since the engine was last idle; the conversation's thread
    std::thread thread_;
};

}  // namespace uci::remote
