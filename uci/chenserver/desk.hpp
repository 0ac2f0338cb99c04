#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "engine/general_interface.hpp"

#include "uci/chenserver/clerk.hpp"

namespace uci::chenserver {

/// Where the lines of all clients are handed in, and answered one after the other in that order.
/// Belongs to one thread, which also brings what the engine says.
class Desk {
public:
    /// Takes the answer to a line, without a line end.
    using Reply = std::function<void(const std::string&)>;

    explicit Desk(engine::GeneralInterface& engine) : engine_{engine} {}

    /// Hands in a line; its answer comes now or later. `halt` is obeyed at once, and answered in
    /// its turn.
    void submit(const std::string& line, Reply reply);
    /// Something that the engine said.
    void take(const engine::Response& response);

    /// Whether everything is answered.
    bool is_idle() const { return !thinking_ && waiting_.empty(); }
    /// Whether someone has said exit: what is handed in after that is not answered.
    bool has_ended() const { return ended_; }

private:
    struct Matter {
        std::variant<Question, std::string> question;
        Reply reply;
    };

    void go_on();
    void handle(const Matter& matter);
    void begin(Thinking thinking, Reply reply);
    void finish(const std::string& answer);

    engine::GeneralInterface& engine_;
    Clerk clerk_;
    std::deque<Matter> waiting_;
    std::optional<Thinking> thinking_;
    Reply thinking_reply_;
    bool ended_ = false;
};

}  // namespace uci::chenserver
