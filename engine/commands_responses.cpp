#include "engine/commands_responses.hpp"

#include <algorithm>

namespace engine {

namespace {

/// A client that reads nothing must not fill the memory: beyond this many responses, those
/// that only report progress are left out; beyond the second number, everything but moves.
constexpr std::size_t most_unread_reports = 2'000;
constexpr std::size_t most_unread_responses = 100'000;
/// So many commands are not sent by a client that wants the search to go on.
constexpr std::size_t most_waiting_commands = 10'000;

bool only_reports_progress(const Response& response) {
    return std::holds_alternative<Info>(response) || std::holds_alternative<CurrentMove>(response);
}

bool is_obeyed_in_place(const Command& command) {
    return std::holds_alternative<Stop>(command) || std::holds_alternative<PonderHit>(command)
        || std::holds_alternative<Ask>(command);
}

bool is_count(const Command& command) {
    return std::holds_alternative<Perft>(command) || std::holds_alternative<Bench>(command);
}

bool is_long_task(const Command& command) {
    return std::holds_alternative<Go>(command) || is_count(command);
}

}  // namespace

bool CommandsResponses::ends_long_task(const Command& command) const {
    if (std::holds_alternative<Stop>(command) || std::holds_alternative<Quit>(command))
        return true;
    return state_ == State::searching && is_long_task(command);
}

bool CommandsResponses::concerns(const Command& command) const {
    return ends_long_task(command) || (state_ == State::searching && is_obeyed_in_place(command));
}

void CommandsResponses::look_at_waiting() {
    const bool concern = commands_.size() > most_waiting_commands
                      || std::any_of(commands_.begin(), commands_.end(),
                                     [&](const Command& command) { return concerns(command); });
    concerns_.store(concern, std::memory_order_relaxed);
}

void CommandsResponses::post(Command command) {
    const std::lock_guard lock{mutex_};
    if (concerns(command) || commands_.size() >= most_waiting_commands)
        concerns_.store(true, std::memory_order_relaxed);
    commands_.push_back(std::move(command));
    command_posted_.notify_all();
}

bool CommandsResponses::is_settled() const {
    if (state_ == State::idle)
        return commands_.empty();
    return state_ != State::busy && !task_is_ending_ && !concerns_long_task();
}

bool CommandsResponses::is_counting() const {
    return state_ == State::counting || (state_ == State::busy && will_count_)
        || std::any_of(commands_.begin(), commands_.end(), is_count);
}

void CommandsResponses::wait_until_ready() {
    std::unique_lock lock{mutex_};
    state_changed_.wait(lock, [&] { return is_settled() || closed_; });
}

bool CommandsResponses::is_idle() const {
    return (commands_.empty() && state_ == State::idle) || closed_;
}

void CommandsResponses::wait_until_idle() {
    std::unique_lock lock{mutex_};
    state_changed_.wait(lock, [&] { return is_idle(); });
}

void CommandsResponses::wait_until_idle(Milliseconds longest) {
    std::unique_lock lock{mutex_};
    state_changed_.wait_for(lock, longest, [&] { return is_idle(); });
}

void CommandsResponses::wait_for_counts(Milliseconds longest) {
    std::unique_lock lock{mutex_};
    state_changed_.wait_for(lock, longest, [&] { return !is_counting() || closed_; });
}

std::optional<Response> CommandsResponses::next_response() {
    std::unique_lock lock{mutex_};
    response_sent_.wait(lock, [&] { return !responses_.empty() || closed_; });
    if (responses_.empty())
        return std::nullopt;
    Response response = std::move(responses_.front());
    responses_.pop_front();
    return response;
}

Command CommandsResponses::take() {
    std::unique_lock lock{mutex_};
    if (commands_.empty()) {
        state_ = State::idle;
        state_changed_.notify_all();
        command_posted_.wait(lock, [&] { return !commands_.empty(); });
    }
    state_ = State::busy;
    Command command = std::move(commands_.front());
    commands_.pop_front();
    will_count_ = is_count(command);
    return command;
}

void CommandsResponses::send(Response response) {
    const std::lock_guard lock{mutex_};
    const auto unread = responses_.size();
    if (unread >= most_unread_reports && only_reports_progress(response))
        return;
    if (unread >= most_unread_responses && !std::holds_alternative<BestMove>(response))
        return;
    responses_.push_back(std::move(response));
    response_sent_.notify_one();
}

void CommandsResponses::begin(LongTask task) {
    const std::lock_guard lock{mutex_};
    state_ = task == LongTask::search ? State::searching : State::counting;
    task_is_ending_ = false;
    look_at_waiting();
    state_changed_.notify_all();
}

void CommandsResponses::end_long_task() {
    const std::lock_guard lock{mutex_};
    state_ = State::busy;
    will_count_ = false;
    state_changed_.notify_all();
}

std::optional<Command> CommandsResponses::take_for_long_task() {
    const std::lock_guard lock{mutex_};
    const auto found = std::find_if(commands_.begin(), commands_.end(),
                                    [&](const Command& command) { return concerns(command); });
    if (found == commands_.end() && commands_.size() <= most_waiting_commands)
        return std::nullopt;
    task_is_ending_ = task_is_ending_ || found == commands_.end() || ends_long_task(*found);
    // A stop behind a task that waits is for that one, and ends this one too.
    if (found == commands_.end() || !is_obeyed_in_place(*found)
        || std::any_of(commands_.begin(), found, is_long_task))
        return Stop{};
    Command command = std::move(*found);
    commands_.erase(found);
    look_at_waiting();
    state_changed_.notify_all();
    return command;
}

void CommandsResponses::wait_for_long_task_command() {
    std::unique_lock lock{mutex_};
    command_posted_.wait(lock, [&] { return concerns_long_task(); });
}

void CommandsResponses::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    response_sent_.notify_all();
    state_changed_.notify_all();
}

}  // namespace engine
