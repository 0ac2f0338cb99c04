#include "engine/commands_responses.hpp"

#include <algorithm>

namespace engine {

namespace {

/// A client that reads nothing must not fill the memory: beyond this many responses, those
/// that only report progress are left out.
constexpr std::size_t most_unread_responses = 2'000;

bool only_reports_progress(const Response& response) {
    return std::holds_alternative<Info>(response) || std::holds_alternative<CurrentMove>(response);
}

bool is_obeyed_in_search(const Command& command) {
    return std::holds_alternative<Stop>(command) || std::holds_alternative<PonderHit>(command)
        || std::holds_alternative<Ask>(command);
}

}  // namespace

void CommandsResponses::post(Command command) {
    const std::lock_guard lock{mutex_};
    commands_.push_back(std::move(command));
    has_command_.store(true, std::memory_order_relaxed);
    command_posted_.notify_all();
}

void CommandsResponses::wait_until_ready() {
    std::unique_lock lock{mutex_};
    state_changed_.wait(lock, [&] { return is_settled() || closed_; });
}

void CommandsResponses::wait_until_idle() {
    std::unique_lock lock{mutex_};
    state_changed_.wait(lock,
                        [&] { return (commands_.empty() && state_ == State::idle) || closed_; });
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

Command CommandsResponses::pop() {
    Command command = std::move(commands_.front());
    commands_.pop_front();
    has_command_.store(!commands_.empty(), std::memory_order_relaxed);
    return command;
}

Command CommandsResponses::take() {
    std::unique_lock lock{mutex_};
    if (commands_.empty()) {
        state_ = State::idle;
        state_changed_.notify_all();
        command_posted_.wait(lock, [&] { return !commands_.empty(); });
    }
    state_ = State::busy;
    return pop();
}

void CommandsResponses::send(Response response) {
    const std::lock_guard lock{mutex_};
    if (responses_.size() >= most_unread_responses && only_reports_progress(response))
        return;
    responses_.push_back(std::move(response));
    response_sent_.notify_one();
}

void CommandsResponses::set_searching(bool searching) {
    const std::lock_guard lock{mutex_};
    state_ = searching ? State::searching : State::busy;
    state_changed_.notify_all();
}

std::optional<Command> CommandsResponses::take_for_search() {
    const std::lock_guard lock{mutex_};
    if (commands_.empty())
        return std::nullopt;
    if (!is_obeyed_in_search(commands_.front()))
        return Stop{};
    Command command = pop();
    state_changed_.notify_all();
    return command;
}

void CommandsResponses::wait_for_command() {
    std::unique_lock lock{mutex_};
    command_posted_.wait(lock, [&] { return !commands_.empty(); });
}

void CommandsResponses::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    response_sent_.notify_all();
    state_changed_.notify_all();
}

}  // namespace engine
