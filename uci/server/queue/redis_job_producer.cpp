#include "uci/server/queue/redis_job_producer.hpp"

#include <array>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/text.hpp"

#include "uci/server/queue/job_codec.hpp"
#include "uci/server/queue/redis_url.hpp"

namespace uci::server::queue {

namespace {

using core::Error;
using engine::jobs::Job;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using JobId = std::uint64_t;
using JobPtr = std::shared_ptr<const Job>;

/// How often the sender looks who has its jobs.
constexpr milliseconds look_interval{250};
constexpr milliseconds status_interval{1'000};
/// How often it looks for jobs that Redis has lost. One that is missing twice is lost.
constexpr milliseconds loss_interval{2'000};
/// Workers say every half second that they live.
constexpr milliseconds worker_silence{3'000};
constexpr milliseconds reply_wait{250};
constexpr milliseconds retry_delay{200};
/// No more jobs are added to a stream of this length, whoever has added them.
constexpr std::int64_t max_stream_length = 100'000;
constexpr std::array all_priorities{JobPriority::player, JobPriority::analysis, JobPriority::bulk};

/// What the sender is to do.
struct Command {
    enum class Kind : unsigned char { add, withdraw, stop, put_aside };
    Kind kind = Kind::add;
    JobId id = 0;
    JobPriority priority = JobPriority::player;
    JobPtr job{};
    std::string reason{};
};

}  // namespace

/// What the threads share.
struct RedisJobProducer::Shared {
    store::RedisAddress address;
    Handlers handlers;
    QueueKeys keys = own_queue();
    std::string producer = process_name();

    std::mutex mutex;  ///< guards what follows
    std::condition_variable changed;
    std::deque<Command> commands;
    std::map<JobId, JobPtr> jobs;  ///< whose results are wanted
    std::string last_reply = "0";  ///< that was read
    bool wants_status = true;      ///< at once
    bool is_ending = false;

    void end() {
        const std::lock_guard lock{mutex};
        is_ending = true;
        changed.notify_all();
    }
    void post(Command command) {
        const std::lock_guard lock{mutex};
        if (command.kind == Command::Kind::add)
            jobs[command.id] = command.job;
        else if (command.kind != Command::Kind::stop)
            jobs.erase(command.id);
        commands.push_back(std::move(command));
        changed.notify_all();
    }
};

/// Adds jobs and removes them, and keeps an eye on them.
class RedisJobProducer::Sender {
public:
    explicit Sender(Shared& shared)
        : shared_{shared},
          streams_{shared.address, shared.keys},
          thread_{[this] { run(); }} {}
    ~Sender() { thread_.join(); }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    Sender(Sender&&) = delete;
    Sender& operator=(Sender&&) = delete;

private:
    struct Queued {
        JobPriority priority{};
        std::string entry{};
        bool has_begun = false;
        bool is_silent = false;   ///< its worker
        bool is_missing = false;  ///< it was not in its stream
    };

    void run() {
        while (const auto commands = next_commands()) {
            for (const auto& command : *commands)
                handle(command);
            add_new();
            remove_old();
            if (Clock::now() >= next_status_)
                read_state();
            if (Clock::now() >= next_look_)
                look_at_jobs();
        }
        end();
    }

    /// What has been posted, after a wait for it or for the next look. Nothing at the end.
    std::optional<std::deque<Command>> next_commands() {
        std::unique_lock lock{shared_.mutex};
        const auto next = queued_.empty() ? next_status_ : std::min(next_status_, next_look_);
        shared_.changed.wait_until(lock, next, [&] {
            return shared_.is_ending || shared_.wants_status || !shared_.commands.empty();
        });
        if (shared_.is_ending)
            return std::nullopt;
        if (std::exchange(shared_.wants_status, false))
            next_status_ = Clock::now();
        return std::exchange(shared_.commands, {});
    }

    void handle(const Command& command) {
        switch (command.kind) {
            case Command::Kind::add: new_.insert_or_assign(command.id, command); return;
            case Command::Kind::withdraw: return withdraw(command.id);
            case Command::Kind::stop:
                note(streams_.stop(shared_.producer, std::to_string(command.id)));
                return;
            case Command::Kind::put_aside: break;
        }
        if (const auto found = queued_.find(command.id); found != queued_.end()) {
            const auto& queued = found->second;
            note(streams_.put_aside(
                {queued.priority, queued.entry, std::to_string(command.id), shared_.producer, {}},
                command.reason));
        }
        withdraw(command.id);
    }

    void withdraw(JobId id) {
        new_.erase(id);
        if (const auto queued = queued_.extract(id))
            old_[queued.mapped().priority].push_back(queued.mapped().entry);
    }

    void add_new() {
        for (const auto priority : all_priorities) {
            std::vector<QueuedJob> jobs;
            std::vector<JobId> ids;
            for (const auto& [id, command] : new_) {
                if (command.priority != priority)
                    continue;
                ids.push_back(id);
                jobs.push_back(
                    {priority, {}, std::to_string(id), shared_.producer, write_job(*command.job)});
            }
            if (!jobs.empty())
                add(priority, jobs, ids);
        }
        new_.clear();
    }

    void add(JobPriority priority,
             const std::vector<QueuedJob>& jobs,
             const std::vector<JobId>& ids) {
        const auto entries = lengths_[priority] < max_stream_length
                               ? streams_.add(priority, shared_.producer, jobs)
                               : core::Result<std::vector<std::string>>{Error{"the queue is full"}};
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (entries)
                queued_[ids[i]] = {priority, (*entries)[i]};
            else
                send({JobEvent::Kind::refused, ids[i], entries.reason()});
        }
        if (!entries)
            note(entries.error());
    }

    /// Removes from the streams what nobody wants any more.
    void remove_old() {
        for (auto& [priority, entries] : old_) {
            if (entries.empty())
                continue;
            if (const auto error = streams_.remove(priority, entries))
                return note(error);  // later
            entries.clear();
        }
    }

    void read_state() {
        next_status_ = Clock::now() + status_interval;
        std::string last;
        {
            const std::lock_guard lock{shared_.mutex};
            last = shared_.last_reply;
        }
        if (const auto error = streams_.keep_producer(shared_.producer, last))
            return send_unreachable(*error);
        auto status = read_status(streams_, worker_silence);
        if (!status)
            return send_unreachable(status.error());
        for (const auto priority : all_priorities) {
            const auto& of = status->priorities.at(static_cast<std::size_t>(priority));
            lengths_[priority] = of.waiting + of.taken;
        }
        shared_.handlers.on_state({true, {}, std::move(*status), Clock::now()});
    }

    void send_unreachable(const Error& error) {
        streams_.connection().close();  // where Redis has refused, as a replica does: begin again
        shared_.handlers.on_state({false, error.reason});
    }

    /// After a failed command, the next look at the state tells whether Redis can be reached.
    void note(const std::optional<Error>& error) {
        if (error && !streams_.connection().is_open())
            next_status_ = Clock::now();
    }

    /// Tells what has become of the jobs.
    void look_at_jobs() {
        next_look_ = Clock::now() + look_interval;
        const bool looks_for_losses = Clock::now() >= next_loss_look_;
        if (looks_for_losses)
            next_loss_look_ = Clock::now() + loss_interval;
        for (const auto priority : all_priorities) {
            std::vector<JobId> ids;
            std::vector<std::string> entries;
            for (const auto& [id, queued] : queued_) {
                if (queued.priority == priority) {
                    ids.push_back(id);
                    entries.push_back(queued.entry);
                }
            }
            if (ids.empty())
                continue;
            look_for_holders(priority, ids, entries);
            if (looks_for_losses)
                look_for_losses(priority, ids, entries);
        }
    }

    void look_for_holders(JobPriority priority,
                          const std::vector<JobId>& ids,
                          const std::vector<std::string>& entries) {
        const auto holders = streams_.holders(priority, entries);
        if (!holders)
            return note(holders.error());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            auto& queued = queued_.at(ids[i]);
            const auto& holder = (*holders)[i];
            if (!holder)
                continue;
            if (!std::exchange(queued.has_begun, true))
                send({JobEvent::Kind::begun, ids[i]});
            if (holder->silence > worker_silence && !std::exchange(queued.is_silent, true))
                send({JobEvent::Kind::silent, ids[i]});
        }
    }

    /// A job that is done leaves its stream too, but then its result is read long before the second
    /// look.
    void look_for_losses(JobPriority priority,
                         const std::vector<JobId>& ids,
                         const std::vector<std::string>& entries) {
        const auto gone = streams_.are_gone(priority, entries);
        if (!gone)
            return note(gone.error());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if ((*gone)[i] && std::exchange(queued_.at(ids[i]).is_missing, true))
                send({JobEvent::Kind::refused, ids[i], "Redis has lost a job"});
        }
    }

    void send(JobEvent event) const { shared_.handlers.on_event(std::move(event)); }

    void end() {
        for (const auto& [id, queued] : queued_)
            old_[queued.priority].push_back(queued.entry);
        if (!streams_.connection().is_open())
            return;
        remove_old();
        static_cast<void>(streams_.remove_producer(shared_.producer));
    }

    Shared& shared_;
    JobStreams streams_;
    std::map<JobId, Command> new_;  ///< jobs to add
    std::map<JobId, Queued> queued_;
    std::map<JobPriority, std::vector<std::string>> old_;  ///< entries to remove
    std::map<JobPriority, std::int64_t> lengths_;          ///< of the streams, lately
    Clock::time_point next_status_;
    Clock::time_point next_look_;
    Clock::time_point next_loss_look_;
    std::thread thread_;  ///< last: it uses what is above
};

/// Reads replies as they come.
class RedisJobProducer::Receiver {
public:
    explicit Receiver(Shared& shared)
        : shared_{shared},
          streams_{shared.address, shared.keys},
          thread_{[this] { run(); }} {}
    ~Receiver() { thread_.join(); }
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;
    Receiver(Receiver&&) = delete;
    Receiver& operator=(Receiver&&) = delete;

private:
    void run() {
        std::string last = "0";
        while (!is_ending()) {
            const auto replies = streams_.replies(shared_.producer, last, reply_wait);
            if (!replies) {
                handle_failure();
                continue;
            }
            was_connected_ = true;
            for (const auto& reply : *replies)
                handle(reply);
            const std::lock_guard lock{shared_.mutex};
            shared_.last_reply = last;
        }
    }

    bool is_ending() const {
        const std::lock_guard lock{shared_.mutex};
        return shared_.is_ending;
    }

    /// The sender finds out what is wrong.
    void handle_failure() {
        std::unique_lock lock{shared_.mutex};
        if (std::exchange(was_connected_, false))
            shared_.wants_status = true;
        shared_.changed.notify_all();
        shared_.changed.wait_for(lock, retry_delay, [&] { return shared_.is_ending; });
    }

    void handle(const QueueReply& reply) {
        const auto id = core::read_integer(reply.id);
        const auto job = id && *id > 0 ? find(static_cast<JobId>(*id)) : nullptr;
        if (!job)
            return;
        if (const auto event = event_of(reply, static_cast<JobId>(*id), *job))
            shared_.handlers.on_event(*event);
    }

    JobPtr find(JobId id) const {
        const std::lock_guard lock{shared_.mutex};
        const auto found = shared_.jobs.find(id);
        return found == shared_.jobs.end() ? nullptr : found->second;
    }

    static std::optional<JobEvent> event_of(const QueueReply& reply, JobId id, const Job& job) {
        JobEvent event{JobEvent::Kind::refused, id, reply.text};
        switch (reply.kind) {
            case QueueReply::Kind::refused: return event;
            case QueueReply::Kind::failed: event.kind = JobEvent::Kind::failed; return event;
            case QueueReply::Kind::report: {
                auto pvs = read_pvs(reply.text, job);
                if (!pvs)
                    return std::nullopt;
                event.kind = JobEvent::Kind::report;
                event.pvs = std::move(*pvs);
                return event;
            }
            case QueueReply::Kind::result: break;
        }
        auto result = read_result(reply.text, job);
        if (!result) {
            event.reason = "a worker's " + result.reason();
            return event;
        }
        event.kind = JobEvent::Kind::done;
        event.result = std::move(*result);
        return event;
    }

    Shared& shared_;
    JobStreams streams_;
    bool was_connected_ = true;
    std::thread thread_;  ///< last: it uses what is above
};

RedisJobProducer::RedisJobProducer(const store::RedisAddress& address, Handlers handlers)
    : shared_{std::make_unique<Shared>()} {
    shared_->address = address;
    shared_->handlers = std::move(handlers);
    sender_ = std::make_unique<Sender>(*shared_);
    try {
        receiver_ = std::make_unique<Receiver>(*shared_);
    }
    catch (...) {
        shared_->end();  // the sender's destructor waits for its thread
        throw;
    }
}

RedisJobProducer::~RedisJobProducer() {
    shared_->end();
}

void RedisJobProducer::add(std::uint64_t id, JobPriority priority, engine::jobs::Job job) {
    shared_->post({Command::Kind::add, id, priority, std::make_shared<const Job>(std::move(job))});
}

void RedisJobProducer::withdraw(std::uint64_t id) {
    shared_->post({Command::Kind::withdraw, id});
}

void RedisJobProducer::stop(std::uint64_t id) {
    shared_->post({Command::Kind::stop, id});
}

void RedisJobProducer::put_aside(std::uint64_t id, std::string reason) {
    shared_->post({Command::Kind::put_aside, id, {}, nullptr, std::move(reason)});
}

}  // namespace uci::server::queue
