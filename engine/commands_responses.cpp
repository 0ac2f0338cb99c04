#include "engine/commands_responses.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace engine {

namespace {

/// A client that reads nothing must not fill the memory: beyond this many unread responses,
/// progress reports are dropped; beyond the second number, or that many bytes that they have
/// allocated, everything but best moves.
constexpr std::size_t max_unread_reports = 2'000;
constexpr std::size_t max_unread_responses = 100'000;
constexpr std::size_t max_unread_bytes = 64 << 20;
/// A client that has sent this many commands does not want the running task to go on.
constexpr std::size_t max_waiting_commands = 10'000;
/// Spin time: nearly every search ends within this after a stop. Until then next_response() spins
/// instead of sleeping: to wake a thread takes about 50 microseconds, as long as the search takes
/// to end.
constexpr std::chrono::microseconds spin_time{300};

bool is_progress_report(const Response& response) {
    return std::holds_alternative<Info>(response) || std::holds_alternative<CurrentMove>(response);
}

/// About how many bytes a response has allocated: many for a long game.
std::size_t allocated_by(const Response& response) {
    if (const auto* info = std::get_if<Info>(&response))
        return info->pv.size() * sizeof(core::Move);
    if (const auto* snapshot = std::get_if<Snapshot>(&response))
        return snapshot->game.keys().size() * (sizeof(core::Move) + sizeof(core::Key));
    if (const auto* refused = std::get_if<Refused>(&response))
        return refused->reason.size();
    if (const auto* notice = std::get_if<Notice>(&response))
        return notice->text.size();
    return 0;
}

/// Whether the running task handles the command itself.
bool is_taken_out(const Command& command) {
    return std::holds_alternative<Stop>(command) || std::holds_alternative<PonderHit>(command)
        || std::holds_alternative<Ask>(command);
}

bool is_perft_or_bench(const Command& command) {
    return std::holds_alternative<Perft>(command) || std::holds_alternative<Bench>(command);
}

/// Whether the command ends by itself, with a report that a script waits for.
bool brings_report(const Command& command) {
    return std::holds_alternative<Why>(command) || is_perft_or_bench(command);
}

bool is_long_task(const Command& command) {
    return std::holds_alternative<Go>(command) || brings_report(command);
}

}  // namespace

bool CommandsResponses::ends_long_task(const Command& command) const {
    if (std::holds_alternative<Stop>(command) || std::holds_alternative<Quit>(command))
        return true;
    return state_ == State::searching && is_long_task(command);
}

bool CommandsResponses::interrupts(const Command& command) const {
    return ends_long_task(command) || (state_ == State::searching && is_taken_out(command));
}

void CommandsResponses::update_interrupt_pending() {
    const bool pending = commands_.size() > max_waiting_commands
                      || std::any_of(commands_.begin(), commands_.end(),
                                     [&](const Command& command) { return interrupts(command); });
    interrupt_pending_.store(pending, std::memory_order_relaxed);
}

void CommandsResponses::post(Command command) {
    std::unique_lock lock{mutex_};
    const bool is_interrupt = interrupts(command) || commands_.size() >= max_waiting_commands;
    const bool ends_search = state_ == State::searching && ends_long_task(command);
    if (ends_search)
        spin_end_ = std::chrono::steady_clock::now() + spin_time;
    commands_.push_back(std::move(command));
    command_posted_.notify_all();
    // Last: the search sees it within a microsecond, and needs the lock at once.
    if (is_interrupt)
        interrupt_pending_.store(true, std::memory_order_relaxed);
    lock.unlock();
    if (ends_search)
        response_sent_.notify_one();
}

bool CommandsResponses::is_met(WaitFor condition) const {
    switch (condition) {
        case WaitFor::ready:
            return is_running() ? !task_is_ending_ && !interrupt_pending()
                                : state_ == State::idle && commands_.empty();
        case WaitFor::idle: return state_ == State::idle && commands_.empty();
        case WaitFor::all_reports:
            return state_ != State::perft_or_bench && (state_ == State::idle || !owes_report_)
                && std::none_of(commands_.begin(), commands_.end(), brings_report);
    }
    return true;
}

bool CommandsResponses::wait_until(WaitFor condition, std::optional<Milliseconds> max_wait) {
    std::unique_lock lock{mutex_};
    const auto is_over = [&] { return is_met(condition) || closed_; };
    if (!is_over() && !std::exchange(is_needed_, true))
        command_posted_.notify_all();
    if (max_wait)
        return state_changed_.wait_for(lock, *max_wait, is_over);
    state_changed_.wait(lock, is_over);
    return true;
}

std::optional<Response> CommandsResponses::next_response() {
    std::unique_lock lock{mutex_};
    const auto is_over = [&] { return !responses_.empty() || closed_; };
    while (!is_over()) {
        const auto end = spin_end_;
        if (end && *end > std::chrono::steady_clock::now()) {
            lock.unlock();
            spin_wait([&] { return has_response_.load(std::memory_order_relaxed); }, *end);
            lock.lock();
        }
        else {
            spin_end_.reset();
            response_sent_.wait(lock, [&] { return is_over() || spin_end_; });
        }
    }
    if (responses_.empty())
        return std::nullopt;
    Response response = std::move(responses_.front());
    responses_.pop_front();
    has_response_.store(!responses_.empty() || closed_, std::memory_order_relaxed);
    if (std::holds_alternative<BestMove>(response))
        spin_end_.reset();
    unread_bytes_ -= allocated_by(response);
    return response;
}

bool CommandsResponses::wait_until_needed() {
    std::unique_lock lock{mutex_};
    command_posted_.wait(lock, [&] { return is_needed_ || !commands_.empty(); });
    return is_needed_ || !std::holds_alternative<Quit>(commands_.front());
}

Command CommandsResponses::take() {
    std::unique_lock lock{mutex_};
    assert(!is_running() && !closed_);
    if (commands_.empty()) {
        state_ = State::idle;
        state_changed_.notify_all();
        command_posted_.wait(lock, [&] { return !commands_.empty(); });
    }
    state_ = State::busy;
    Command command = std::move(commands_.front());
    commands_.pop_front();
    owes_report_ = brings_report(command);
    return command;
}

bool CommandsResponses::send(Response response) {
    const std::lock_guard lock{mutex_};
    const auto unread = responses_.size();
    if (unread >= max_unread_reports && is_progress_report(response))
        return false;
    const bool is_full = unread >= max_unread_responses || unread_bytes_ >= max_unread_bytes;
    if (is_full && !std::holds_alternative<BestMove>(response))
        return false;
    unread_bytes_ += allocated_by(response);
    responses_.push_back(std::move(response));
    has_response_.store(true, std::memory_order_relaxed);
    response_sent_.notify_one();
    return true;
}

void CommandsResponses::begin(LongTask task) {
    const std::lock_guard lock{mutex_};
    assert(state_ == State::busy && !closed_);
    state_ = task == LongTask::search ? State::searching : State::perft_or_bench;
    task_is_ending_ = false;
    update_interrupt_pending();
    state_changed_.notify_all();
}

void CommandsResponses::end_long_task() {
    const std::lock_guard lock{mutex_};
    assert(is_running());
    state_ = State::busy;
    owes_report_ = false;
    state_changed_.notify_all();
}

std::optional<Command> CommandsResponses::take_interrupt() {
    const std::lock_guard lock{mutex_};
    const auto found = std::find_if(commands_.begin(), commands_.end(),
                                    [&](const Command& command) { return interrupts(command); });
    if (found == commands_.end() && commands_.size() <= max_waiting_commands)
        return std::nullopt;
    task_is_ending_ = task_is_ending_ || found == commands_.end() || ends_long_task(*found);
    // A Stop behind a waiting long task is meant for that task, and also ends the running one.
    if (found == commands_.end() || !is_taken_out(*found)
        || std::any_of(commands_.begin(), found, is_long_task))
        return Stop{};
    Command command = std::move(*found);
    commands_.erase(found);
    update_interrupt_pending();
    state_changed_.notify_all();
    return command;
}

void CommandsResponses::wait_for_interrupt() {
    std::unique_lock lock{mutex_};
    assert(is_running());
    command_posted_.wait(lock, [&] { return interrupt_pending(); });
}

void CommandsResponses::close() {
    const std::lock_guard lock{mutex_};
    assert(!is_running());
    closed_ = true;
    has_response_.store(true, std::memory_order_relaxed);
    response_sent_.notify_all();
    state_changed_.notify_all();
}

}  // namespace engine
