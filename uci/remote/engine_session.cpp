#include "uci/remote/engine_session.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

#include "uci/remote/limits.hpp"

namespace uci::remote {

namespace {

bool begins_with_word(std::string_view line, std::string_view word) {
    return core::Words{line}.peek() == word;
}

}  // namespace

/// The dialect's side of the session.
class EngineSession::LineTransport : public transport::Transport {
public:
    explicit LineTransport(EngineSession& session) : session_{session} {}

    std::optional<std::string> read_line() override { return session_.next_line(); }
    void write_line(std::string_view line) override { session_.receive(line); }
    /// So that the dialect ends at once with `quit`, as it does for a person and not for a script.
    bool is_interactive() const override { return true; }

private:
    EngineSession& session_;
};

EngineSession::EngineSession(const DialectInfo& dialect,
                             const std::vector<engine::SetOption>& options,
                             Events events)
    : events_{std::move(events)},
      thread_{[this, &dialect, options] { converse(dialect, options); }} {}

EngineSession::~EngineSession() {
    end();
    thread_.join();
}

void EngineSession::say(std::string line) {
    const std::lock_guard lock{mutex_};
    if (ended_)
        return;
    unread_bytes_ += line.size();
    lines_.push_back(std::move(line));
    said_.notify_one();
}

void EngineSession::end() {
    {
        const std::lock_guard lock{mutex_};
        ended_ = true;
        lines_.clear();
        unread_bytes_ = 0;
        said_.notify_one();
    }
    // The thread may wait for the end of a search before it takes the next line.
    engine_.stop();
}

std::size_t EngineSession::unread_bytes() const {
    const std::lock_guard lock{mutex_};
    return unread_bytes_;
}

void EngineSession::converse(const DialectInfo& dialect,
                             const std::vector<engine::SetOption>& options) {
    set_options(options);
    LineTransport transport{*this};
    dialect.make(engine_, {})->run(transport);
    events_.on_end();
}

/// What the engine answers is not for the client, who gets nothing before it has said something.
void EngineSession::set_options(const std::vector<engine::SetOption>& options) {
    for (const auto& option : options)
        engine_.post(option);
    engine_.wait_until_idle();
    engine_.sync(0);
    while (const auto response = engine_.next_response()) {
        if (std::holds_alternative<engine::Synced>(*response))
            return;
    }
}

std::optional<std::string> EngineSession::next_line() {
    std::string line;
    {
        std::unique_lock lock{mutex_};
        said_.wait(lock, [this] { return ended_ || !lines_.empty(); });
        if (ended_)
            return "quit";
        line = std::move(lines_.front());
        lines_.pop_front();
        unread_bytes_ -= line.size();
    }
    limit_waiting_commands(line.size());
    if (begins_with_word(line, "go")) {
        const std::lock_guard lock{mutex_};
        ++searches_;
    }
    return line;
}

/// The engine keeps what it has not handled yet, so its memory would grow with each line that comes
/// during a search. A client that has sent this much does not want the search to go on.
void EngineSession::limit_waiting_commands(std::size_t next_bytes) {
    taken_bytes_ += next_bytes;
    bool is_searching = false;
    {
        const std::lock_guard lock{mutex_};
        is_searching = searches_ > 0;
    }
    if (taken_bytes_ <= (is_searching ? max_waiting_bytes : max_waiting_bytes / 16))
        return;
    if (is_searching)
        engine_.stop();
    engine_.wait_until_idle();
    taken_bytes_ = next_bytes;
}

/// A text may have several lines.
void EngineSession::receive(std::string_view text) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (begins_with_word(line, "bestmove")) {
            const std::lock_guard lock{mutex_};
            --searches_;
        }
        events_.on_line(std::string{line});
    }
}

}  // namespace uci::remote
