#include "uci/server/queue/queue_status.hpp"

#include <algorithm>
#include <hiredis/hiredis.h>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace uci::server::queue {

namespace {

using core::Error;
using core::Result;
using std::chrono::milliseconds;
using store::RedisReply;
using store::text_of;

constexpr std::array all_priorities{JobPriority::player, JobPriority::analysis, JobPriority::bulk};

std::vector<const redisReply*> elements_of(const redisReply& reply) {
    if (reply.type != REDIS_REPLY_ARRAY)
        return {};
    return {reply.element, reply.element + reply.elements};
}

const redisReply* field(const redisReply& fields, std::string_view name) {
    const auto elements = elements_of(fields);
    for (std::size_t i = 0; i + 1 < elements.size(); i += 2) {
        if (text_of(*elements[i]) == name)
            return elements[i + 1];
    }
    return nullptr;
}

std::string text_at(const redisReply& fields, std::string_view name) {
    const auto* const found = field(fields, name);
    return found == nullptr ? std::string{} : std::string{text_of(*found)};
}

WorkerStatus worker_of(std::string_view name, std::string_view description) {
    WorkerStatus worker{std::string{name}};
    const auto json = nlohmann::json::parse(description, nullptr, false);
    const auto number = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    worker.threads = number("threads");
    worker.busy = number("busy");
    worker.done = number("done");
    return worker;
}

/// The time at which an entry was added: its id begins with milliseconds since 1970.
std::optional<milliseconds> time_of(const redisReply& entries) {
    const auto all = elements_of(entries);
    if (all.empty() || elements_of(*all.front()).empty())
        return std::nullopt;
    const auto id = text_of(*elements_of(*all.front()).front());
    const auto time = core::read_integer(id.substr(0, id.find('-')));
    return time ? std::optional{milliseconds{*time}} : std::nullopt;
}

Result<PriorityStatus> read_priority(JobStreams& streams, JobPriority priority) {
    auto& connection = streams.connection();
    const auto stream = streams.keys().stream(priority);
    PriorityStatus status;
    // Fails where the stream has not been made yet.
    const auto pending = connection.command({"XPENDING", stream, "w"});
    if (!pending && !connection.is_open())
        return pending.error();
    if (pending && !elements_of(**pending).empty())
        status.taken = elements_of(**pending).front()->integer;
    const auto replies =
        connection.pipeline({{"XLEN", stream},
                             {"XRANGE", stream, "-", "+", "COUNT", "1"},
                             {"HGET", streams.keys().counts(),
                              std::string{priority_names[static_cast<std::size_t>(priority)]}}});
    if (!replies)
        return replies.error();
    status.waiting = std::max<std::int64_t>((*replies)[0]->integer - status.taken, 0);
    if (const auto time = time_of(*(*replies)[1]))
        status.oldest = std::max(connection.server_time() - *time, milliseconds{0});
    status.done = core::read_integer(text_of(*(*replies)[2])).value_or(0);
    return status;
}

}  // namespace

std::int64_t QueueStatus::waiting() const {
    std::int64_t sum = 0;
    for (const auto& priority : priorities)
        sum += priority.waiting;
    return sum;
}

std::int64_t QueueStatus::taken() const {
    std::int64_t sum = 0;
    for (const auto& priority : priorities)
        sum += priority.taken;
    return sum;
}

std::int64_t QueueStatus::done() const {
    std::int64_t sum = 0;
    for (const auto& priority : priorities)
        sum += priority.done;
    return sum;
}

std::optional<milliseconds> QueueStatus::oldest() const {
    std::optional<milliseconds> oldest;
    for (const auto& priority : priorities)
        oldest = std::max(oldest, priority.oldest);
    return oldest;
}

std::int64_t QueueStatus::threads() const {
    std::int64_t sum = 0;
    for (const auto& worker : workers)
        sum += worker.threads;
    return sum;
}

std::int64_t QueueStatus::busy() const {
    std::int64_t sum = 0;
    for (const auto& worker : workers)
        sum += worker.busy;
    return sum;
}

Result<QueueStatus> read_status(JobStreams& streams, milliseconds silence) {
    QueueStatus status;
    for (const auto priority : all_priorities) {
        const auto read = read_priority(streams, priority);
        if (!read)
            return read.error();
        status.priorities[static_cast<std::size_t>(priority)] = *read;
    }
    const auto since = streams.connection().server_time() - silence;
    const auto& keys = streams.keys();
    const auto replies = streams.connection().pipeline(
        {{"ZRANGEBYSCORE", keys.seen(), std::to_string(since.count()), "+inf"},
         {"HGETALL", keys.workers()},
         {"XLEN", keys.dead()}});
    if (!replies)
        return replies.error();
    for (const auto* const name : elements_of(*(*replies)[0])) {
        if (const auto* const description = field(*(*replies)[1], text_of(*name)))
            status.workers.push_back(worker_of(text_of(*name), text_of(*description)));
    }
    std::sort(status.workers.begin(), status.workers.end(),
              [](const auto& one, const auto& other) { return one.name < other.name; });
    status.dead = (*replies)[2]->integer;
    return status;
}

Result<std::vector<DeadJob>> read_dead(JobStreams& streams, int most) {
    const auto reply = streams.connection().command(
        {"XRANGE", streams.keys().dead(), "-", "+", "COUNT", std::to_string(most)});
    if (!reply)
        return reply.error();
    std::vector<DeadJob> jobs;
    for (const auto* const entry : elements_of(**reply)) {
        const auto parts = elements_of(*entry);
        const auto& fields = *parts.at(1);
        const auto stream = text_at(fields, "stream");
        jobs.push_back({std::string{text_of(*parts[0])}, stream.substr(stream.rfind(':') + 1),
                        text_at(fields, "reason"), text_at(fields, "from"),
                        text_at(fields, "job")});
    }
    return jobs;
}

std::optional<Error> delete_dead(JobStreams& streams, const std::vector<DeadJob>& jobs) {
    if (jobs.empty())
        return std::nullopt;
    store::RedisCommand command{"XDEL", streams.keys().dead()};
    for (const auto& job : jobs)
        command.push_back(job.entry);
    const auto reply = streams.connection().command(command);
    return reply ? std::nullopt : std::optional{reply.error()};
}

std::optional<Error> retry_dead(JobStreams& streams, const std::vector<DeadJob>& jobs) {
    const std::string producer = "retry";
    const std::string hour = "3600";
    std::vector<store::RedisCommand> commands{
        {"SET", streams.keys().alive(producer), "1", "EX", hour}};
    for (const auto& job : jobs) {
        const auto found = std::find(priority_names.begin(), priority_names.end(), job.priority);
        const auto priority = found == priority_names.end()
                                ? JobPriority::bulk
                                : static_cast<JobPriority>(found - priority_names.begin());
        commands.push_back({"XADD", streams.keys().stream(priority), "*", "id", job.entry, "from",
                            producer, "job", job.job});
    }
    if (const auto replies = streams.connection().pipeline(commands); !replies)
        return replies.error();
    return delete_dead(streams, jobs);
}

}  // namespace uci::server::queue
