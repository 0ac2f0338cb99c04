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

/// A long task of its own: it cannot wait for a search that may never end by itself.
bool ends_search(const Command& command) {
    return std::holds_alternative<Go>(command) || std::holds_alternative<Perft>(command)
        || std::holds_alternative<Bench>(command) || std::holds_alternative<Quit>(command);
}

bool concerns_search(const Command& command) {
    return is_obeyed_in_search(command) || ends_search(command);
}

bool leads_to_end(const Command& command) {
    return std::holds_alternative<Stop>(command) || ends_search(command);
}

}  // namespace

void CommandsResponses::post(Command command) {
    const std::lock_guard lock{mutex_};
    commands_.push_back(std::move(command));
    look_for_search_commands();
    command_posted_.notify_all();
}

void CommandsResponses::look_for_search_commands() {
    concerns_search_.store(std::any_of(commands_.begin(), commands_.end(), engine::concerns_search),
                           std::memory_order_relaxed);
}

bool CommandsResponses::is_settled() const {
    if (state_ == State::idle)
        return commands_.empty();
    return state_ == State::searching && !search_is_ending_
        && std::none_of(commands_.begin(), commands_.end(), leads_to_end);
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
    look_for_search_commands();
    return command;
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
    search_is_ending_ = false;
    state_changed_.notify_all();
}

std::optional<Command> CommandsResponses::take_for_search() {
    const std::lock_guard lock{mutex_};
    const auto found = std::find_if(commands_.begin(), commands_.end(), engine::concerns_search);
    if (found == commands_.end())
        return std::nullopt;
    search_is_ending_ = search_is_ending_ || leads_to_end(*found);
    if (!is_obeyed_in_search(*found))
        return Stop{};
    Command command = std::move(*found);
    commands_.erase(found);
    look_for_search_commands();
    state_changed_.notify_all();
    return command;
}

void CommandsResponses::wait_for_search_command() {
    std::unique_lock lock{mutex_};
    command_posted_.wait(lock, [&] { return concerns_search(); });
}

void CommandsResponses::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    response_sent_.notify_all();
    state_changed_.notify_all();
}

}  // namespace engine
