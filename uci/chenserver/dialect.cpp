#include "uci/chenserver/dialect.hpp"

#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "uci/chenserver/dispatcher.hpp"
#include "uci/chenserver/limits.hpp"
#include "uci/server/local_search_queue.hpp"
#include "uci/transport/unanswered_lines.hpp"

namespace uci::chenserver {

namespace {

bool is_exit(const std::string& line) {
    const auto parsed = parse_command(line);
    const auto* command = std::get_if<Command>(&parsed);
    return command && command->kind == CommandKind::exit;
}

/// One client. Games are independent of each other, but the answers are written in the order of
/// the lines, since nothing else tells the client which answer belongs to which line.
class Conversation {
public:
    Conversation(engine::GeneralInterface& engine, transport::Transport& transport)
        : transport_{transport},
          queue_{engine, search_policy()},
          dispatcher_{queue_} {}

    /// Handles a line; waits while too many lines are not answered yet.
    void handle_line(const std::string& line) {
        unanswered_.add();
        const std::lock_guard lock{mutex_};
        const std::size_t number = written_ + answers_.size();
        answers_.emplace_back();
        dispatcher_.submit(line, [this, number](const std::string& answer) {
            answers_[number - written_] = answer;
            write_answers();
        });
    }
    void handle_response(const engine::Response& response) {
        const std::lock_guard lock{mutex_};
        queue_.handle_response(response);
    }
    void wait_until_all_is_answered() { unanswered_.wait_until_none(); }

private:
    void write_answers() {
        while (!answers_.empty() && answers_.front()) {
            transport_.write_line(*answers_.front());
            answers_.pop_front();
            ++written_;
            unanswered_.remove();
        }
    }

    transport::UnansweredLines unanswered_{max_unanswered_lines};
    std::mutex mutex_;  ///< guards everything below
    transport::Transport& transport_;
    server::LocalSearchQueue queue_;
    Dispatcher dispatcher_;
    std::deque<std::optional<std::string>> answers_;  ///< of the lines that are not answered yet
    std::size_t written_ = 0;
};

}  // namespace

void ChenserverDialect::run(transport::Transport& transport) {
    Conversation conversation{engine_, transport};
    std::thread engine_pump{[&] {
        while (const auto response = engine_.next_response())
            conversation.handle_response(*response);
    }};
    while (const auto line = transport.read_line()) {
        conversation.handle_line(line->size() > max_stdin_line ? "" : *line);
        if (is_exit(*line))
            break;
    }
    conversation.wait_until_all_is_answered();
    engine_.quit();
    engine_pump.join();
}

const DialectInfo dialect_info{
    "chenserver", "ChenServer's commands, one answer for each line", is_command,
    [](engine::GeneralInterface& engine, const DialectOptions&) -> std::unique_ptr<Dialect> {
        return std::make_unique<ChenserverDialect>(engine);
    }};

}  // namespace uci::chenserver
