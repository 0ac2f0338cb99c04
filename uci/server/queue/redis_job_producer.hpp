#pragma once

#include <functional>
#include <memory>

#include "uci/server/queue/job_producer.hpp"

namespace uci::server::queue {

/// A JobProducer whose queue is in Redis. Two threads of its own, each with a connection, send jobs
/// and receive replies. While Redis cannot be reached they try again.
class RedisJobProducer : public JobProducer {
public:
    /// Called in these threads.
    struct Handlers {
        std::function<void(JobEvent)> on_event;
        std::function<void(QueueState)> on_state;  ///< at once, and then about every second
    };

    /// Throws std::system_error if the system refuses the threads.
    RedisJobProducer(const store::RedisAddress& address, Handlers handlers);
    /// Takes the jobs back that are in the queue still.
    ~RedisJobProducer() override;
    RedisJobProducer(const RedisJobProducer&) = delete;
    RedisJobProducer& operator=(const RedisJobProducer&) = delete;
    RedisJobProducer(RedisJobProducer&&) = delete;
    RedisJobProducer& operator=(RedisJobProducer&&) = delete;

    void add(std::uint64_t id, JobPriority priority, engine::jobs::Job job) override;
    void withdraw(std::uint64_t id) override;
    void stop(std::uint64_t id) override;
    void put_aside(std::uint64_t id, std::string reason) override;

private:
    struct Shared;
    class Sender;
    class Receiver;

    std::unique_ptr<Shared> shared_;
    std::unique_ptr<Sender> sender_;
    std::unique_ptr<Receiver> receiver_;
};

}  // namespace uci::server::queue
