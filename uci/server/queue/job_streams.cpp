#include "uci/server/queue/job_streams.hpp"

#include <boost/asio/ip/host_name.hpp>
#include <hiredis/hiredis.h>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"

#include "engine/build_info.hpp"
#include "engine/evaluate/evaluate.hpp"

#include "uci/server/queue/scripts.hpp"
#include "uci/util/platform.hpp"

namespace uci::server::queue {

namespace {

using core::Error;
using core::Result;
using std::chrono::milliseconds;
using store::RedisCommand;
using store::text_of;

const std::string group = "w";
constexpr int producer_lifetime = 60;       ///< seconds without a sign of life
const std::string reply_lifetime = "3600";  ///< seconds after the last reply

std::optional<Error> error_of(const Result<store::RedisReply>& reply) {
    return reply ? std::nullopt : std::optional{reply.error()};
}

std::span<redisReply* const> elements_of(const redisReply& reply) {
    if (reply.type != REDIS_REPLY_ARRAY)
        return {};
    return {reply.element, reply.elements};
}

/// The value of a field in an array of names and values; empty without it.
std::string_view field(const redisReply& fields, std::string_view name) {
    const auto elements = elements_of(fields);
    for (std::size_t i = 0; i + 1 < elements.size(); i += 2) {
        if (text_of(*elements[i]) == name)
            return text_of(*elements[i + 1]);
    }
    return {};
}

/// The jobs in a list of entries. One that was deleted meanwhile has no fields and is left out.
std::vector<QueuedJob> jobs_in(const redisReply& entries, JobPriority priority) {
    std::vector<QueuedJob> jobs;
    for (const auto* const entry : elements_of(entries)) {
        const auto parts = elements_of(*entry);
        if (parts.size() < 2 || elements_of(*parts[1]).empty())
            continue;
        jobs.push_back({priority, std::string{text_of(*parts[0])},
                        std::string{field(*parts[1], "id")}, std::string{field(*parts[1], "from")},
                        std::string{field(*parts[1], "job")}});
    }
    return jobs;
}

std::string text_of(milliseconds time) {
    return std::to_string(time.count());
}

std::vector<std::string> entries_of(const std::vector<QueuedJob>& jobs, JobPriority priority) {
    std::vector<std::string> entries;
    for (const auto& job : jobs) {
        if (job.priority == priority)
            entries.push_back(job.entry);
    }
    return entries;
}

constexpr std::array all_priorities{JobPriority::player, JobPriority::analysis, JobPriority::bulk};

// Twice block_time, because a command may wait that long at Redis.
constexpr store::RedisTimeouts timeouts{milliseconds{1'000}, milliseconds{1'000}, 2 * block_time,
                                        milliseconds{500}};

}  // namespace

QueueKeys::QueueKeys(std::string_view version, std::uint32_t network)
    : id_{fmt::format("{}-{:08x}", version, network)},
      prefix_{fmt::format("parley:{{{}}}:", id_)} {}

std::string QueueKeys::stream(JobPriority priority) const {
    return prefix_ + std::string{priority_names[static_cast<std::size_t>(priority)]};
}

QueueKeys own_queue() {
    return {engine::version(), engine::evaluate::Evaluate{}.network().checksum()};
}

std::string process_name() {
    boost::system::error_code unknown;
    const auto host = boost::asio::ip::host_name(unknown);
    std::random_device device;
    return fmt::format("{}:{}:{:08x}", unknown ? "unknown" : host, util::process_id(), device());
}

JobStreams::JobStreams(const store::RedisAddress& address, QueueKeys keys)
    : connection_{address, timeouts},
      keys_{std::move(keys)} {}

Result<store::RedisReply> JobStreams::run(const std::string& script,
                                          const std::vector<std::string>& keys,
                                          const std::vector<std::string>& arguments) {
    RedisCommand command{"EVAL", script, std::to_string(keys.size())};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return connection_.command(command);
}

std::vector<std::string> JobStreams::all_streams() const {
    std::vector<std::string> streams;
    streams.reserve(all_priorities.size());
    for (const auto priority : all_priorities)
        streams.push_back(keys_.stream(priority));
    return streams;
}

Result<std::vector<std::string>> JobStreams::add(JobPriority priority,
                                                 const std::string& producer,
                                                 const std::vector<QueuedJob>& jobs) {
    std::vector<RedisCommand> commands;
    commands.reserve(jobs.size());
    for (const auto& job : jobs)
        commands.push_back(
            {"XADD", keys_.stream(priority), "*", "id", job.id, "from", producer, "job", job.text});
    const auto replies = connection_.pipeline(commands);
    if (!replies)
        return replies.error();
    std::vector<std::string> entries;
    for (const auto& reply : *replies)
        entries.emplace_back(text_of(*reply));
    return entries;
}

Result<std::vector<QueueReply>> JobStreams::replies(const std::string& producer,
                                                    std::string& last,
                                                    milliseconds wait) {
    RedisCommand command{"XREAD", "COUNT", "512"};
    if (wait > milliseconds{0})
        command.insert(command.end(), {"BLOCK", text_of(wait)});
    command.insert(command.end(), {"STREAMS", keys_.replies(producer), last});
    const auto reply = connection_.command(command);
    if (!reply)
        return reply.error();
    std::vector<QueueReply> found;
    for (const auto* const stream : elements_of(**reply)) {
        const auto parts = elements_of(*stream);
        for (const auto* const entry : elements_of(*parts[1])) {
            const auto* const fields = elements_of(*entry)[1];
            last = text_of(*elements_of(*entry)[0]);
            using Kind = QueueReply::Kind;
            for (const auto& [kind, name] :
                 {std::pair{Kind::result, "result"}, std::pair{Kind::report, "report"},
                  std::pair{Kind::refused, "refused"}, std::pair{Kind::failed, "failed"}}) {
                if (const auto id = field(*fields, name); !id.empty())
                    found.push_back({kind, std::string{id}, std::string{field(*fields, "text")}});
            }
        }
    }
    return found;
}

Result<std::vector<bool>> JobStreams::are_gone(JobPriority priority,
                                               const std::vector<std::string>& entries) {
    std::vector<RedisCommand> commands;
    commands.reserve(entries.size());
    for (const auto& entry : entries)
        commands.push_back({"XRANGE", keys_.stream(priority), entry, entry});
    const auto replies = connection_.pipeline(commands);
    if (!replies)
        return replies.error();
    std::vector<bool> are_gone;
    for (const auto& reply : *replies)
        are_gone.push_back(elements_of(*reply).empty());
    return are_gone;
}

Result<std::vector<std::optional<JobHolder>>> JobStreams::holders(
    JobPriority priority,
    const std::vector<std::string>& entries) {
    std::vector<RedisCommand> commands;
    commands.reserve(entries.size());
    for (const auto& entry : entries)
        commands.push_back({"XPENDING", keys_.stream(priority), group, entry, entry, "1"});
    const auto replies = connection_.pipeline(commands);
    if (!replies)
        return replies.error();
    std::vector<std::optional<JobHolder>> holders;
    for (const auto& reply : *replies) {
        const auto pending = elements_of(*reply);
        const auto parts = pending.empty() ? pending : elements_of(*pending.front());
        holders.push_back(
            parts.size() < 4
                ? std::nullopt
                : std::optional{JobHolder{milliseconds{parts[2]->integer}, parts[3]->integer}});
    }
    return holders;
}

std::optional<Error> JobStreams::remove(JobPriority priority,
                                        const std::vector<std::string>& entries) {
    if (entries.empty())
        return std::nullopt;
    RedisCommand acknowledge{"XACK", keys_.stream(priority), group};
    RedisCommand remove{"XDEL", keys_.stream(priority)};
    acknowledge.insert(acknowledge.end(), entries.begin(), entries.end());
    remove.insert(remove.end(), entries.begin(), entries.end());
    const auto replies = connection_.pipeline({acknowledge, remove});
    return replies ? std::nullopt : std::optional{replies.error()};
}

std::optional<Error> JobStreams::keep_producer(const std::string& producer,
                                               const std::string& last) {
    std::vector<RedisCommand> commands{
        {"SET", keys_.alive(producer), "1", "EX", std::to_string(producer_lifetime)}};
    if (last != "0")
        commands.push_back({"XTRIM", keys_.replies(producer), "MINID", last});
    commands.push_back({"EXPIRE", keys_.replies(producer), reply_lifetime});
    const auto replies = connection_.pipeline(commands);
    return replies ? std::nullopt : std::optional{replies.error()};
}

std::optional<Error> JobStreams::remove_producer(const std::string& producer) {
    return error_of(connection_.command({"DEL", keys_.alive(producer), keys_.replies(producer)}));
}

std::optional<Error> JobStreams::stop(const std::string& producer, const std::string& job) {
    return error_of(connection_.command(
        {"SET", keys_.stop(producer, job), "1", "EX", std::to_string(producer_lifetime)}));
}

Result<std::int64_t> JobStreams::count_workers() {
    if (const auto error = connection_.ensure_open())
        return *error;
    const auto since = connection_.server_time() - silence_limit;
    const auto reply = connection_.command({"ZCOUNT", keys_.seen(), text_of(since), "+inf"});
    if (!reply)
        return reply.error();
    return static_cast<std::int64_t>((*reply)->integer);
}

Result<std::int64_t> JobStreams::length(JobPriority priority) {
    const auto reply = connection_.command({"XLEN", keys_.stream(priority)});
    if (!reply)
        return reply.error();
    return static_cast<std::int64_t>((*reply)->integer);
}

std::optional<Error> JobStreams::create() {
    for (const auto& stream : all_streams()) {
        // 0: the jobs too that are there already.
        const auto reply =
            connection_.command({"XGROUP", "CREATE", stream, group, "0", "MKSTREAM"});
        const bool exists = !reply && reply.reason().find("BUSYGROUP") != std::string::npos;
        if (!reply && !exists)
            return reply.error();
    }
    return std::nullopt;
}

Result<std::vector<QueuedJob>> JobStreams::take(const std::string& consumer,
                                                const std::array<JobPriority, 3>& order,
                                                std::size_t count) {
    std::vector<std::string> streams;
    streams.reserve(order.size());
    for (const auto priority : order)
        streams.push_back(keys_.stream(priority));
    const auto reply = run(scripts::take, streams, {consumer, std::to_string(count)});
    if (!reply)
        return reply.error();
    const auto parts = elements_of(**reply);
    if (parts.size() != 2)
        return std::vector<QueuedJob>{};
    return jobs_in(*parts[1], order.at(static_cast<std::size_t>(parts[0]->integer - 1)));
}

Result<std::vector<QueuedJob>> JobStreams::wait(const std::string& consumer) {
    RedisCommand command{"XREADGROUP",        "GROUP",  group, consumer, "COUNT", "1", "BLOCK",
                         text_of(block_time), "STREAMS"};
    for (const auto& stream : all_streams())
        command.push_back(stream);
    command.insert(command.end(), 3, ">");
    const auto reply = connection_.command(command);
    if (!reply)
        return reply.error();
    std::vector<QueuedJob> jobs;
    for (const auto priority : all_priorities) {
        for (const auto* const stream : elements_of(**reply)) {
            const auto parts = elements_of(*stream);
            if (text_of(*parts[0]) != keys_.stream(priority))
                continue;
            for (auto& job : jobs_in(*parts[1], priority))
                jobs.push_back(std::move(job));
        }
    }
    return jobs;
}

Result<std::optional<QueuedJob>> JobStreams::take_over(const std::string& consumer) {
    auto keys = all_streams();
    keys.push_back(keys_.dead());
    const auto reply =
        run(scripts::take_over, keys,
            {consumer, text_of(silence_limit), std::to_string(max_deaths), keys_.prefix()});
    if (!reply)
        return reply.error();
    const auto parts = elements_of(**reply);
    if (parts.size() != 2)
        return std::optional<QueuedJob>{};
    auto jobs =
        jobs_in(*parts[1], all_priorities.at(static_cast<std::size_t>(parts[0]->integer - 1)));
    return jobs.empty() ? std::nullopt : std::optional{std::move(jobs.front())};
}

Result<std::int64_t> JobStreams::finish(const std::vector<FinishedJob>& jobs) {
    const auto priority = jobs.front().job.priority;
    std::vector<std::string> arguments{
        keys_.prefix(), std::string{priority_names[static_cast<std::size_t>(priority)]}, "result"};
    for (const auto& [job, text] : jobs)
        arguments.insert(arguments.end(), {job.entry, job.producer, job.id, text});
    const auto reply = run(scripts::finish, {keys_.stream(priority), keys_.counts()}, arguments);
    if (!reply)
        return reply.error();
    return static_cast<std::int64_t>((*reply)->integer);
}

std::optional<Error> JobStreams::refuse(const QueuedJob& job, const std::string& reason) {
    return error_of(
        run(scripts::finish, {keys_.stream(job.priority), keys_.counts()},
            {keys_.prefix(), "refused", "refused", job.entry, job.producer, job.id, reason}));
}

std::optional<Error> JobStreams::report(const QueuedJob& job, const std::string& text) {
    const auto replies = keys_.replies(job.producer);
    const auto sent = connection_.pipeline(
        {{"XADD", replies, "MAXLEN", "~", "10000", "*", "report", job.id, "text", text},
         {"EXPIRE", replies, reply_lifetime}});
    return sent ? std::nullopt : std::optional{sent.error()};
}

std::optional<Error> JobStreams::put_aside(const QueuedJob& job, const std::string& reason) {
    return error_of(run(scripts::put_aside, {keys_.stream(job.priority), keys_.dead()},
                        {job.entry, reason, keys_.prefix()}));
}

std::optional<Error> JobStreams::give_back(const std::vector<QueuedJob>& jobs) {
    for (const auto priority : all_priorities) {
        const auto entries = entries_of(jobs, priority);
        if (entries.empty())
            continue;
        if (const auto reply = run(scripts::give_back, {keys_.stream(priority)}, entries); !reply)
            return reply.error();
    }
    return std::nullopt;
}

Result<std::vector<HeldState>> JobStreams::keep(const std::string& worker,
                                                const std::string& description,
                                                const std::vector<std::string>& consumers,
                                                const std::vector<QueuedJob>& jobs) {
    std::vector<std::string> arguments{worker, description, keys_.prefix()};
    for (std::size_t i = 0; i < jobs.size(); ++i)
        arguments.insert(arguments.end(), {keys_.stream(jobs[i].priority), consumers[i],
                                           jobs[i].entry, jobs[i].producer, jobs[i].id});
    const auto reply = run(scripts::keep, {keys_.workers(), keys_.seen()}, arguments);
    if (!reply)
        return reply.error();
    std::vector<HeldState> states;
    for (const auto* const state : elements_of(**reply))
        states.push_back(static_cast<HeldState>(state->integer));
    states.resize(jobs.size(), HeldState::held);
    return states;
}

std::optional<Error> JobStreams::remove_worker(const std::string& worker,
                                               const std::vector<std::string>& consumers) {
    const auto replies =
        connection_.pipeline({{"HDEL", keys_.workers(), worker}, {"ZREM", keys_.seen(), worker}});
    if (!replies)
        return replies.error();
    return error_of(run(scripts::remove_consumers, all_streams(), consumers));
}

std::optional<Error> JobStreams::remove_silent_workers() {
    auto keys = all_streams();
    keys.push_back(keys_.workers());
    keys.push_back(keys_.seen());
    return error_of(run(scripts::remove_silent, keys, {}));
}

}  // namespace uci::server::queue
