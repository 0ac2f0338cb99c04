#include "uci/server/server_searches.hpp"

#include <boost/asio/post.hpp>
#include <limits>
#include <utility>

#include "uci/server/server_metrics.hpp"
#include "uci/server/timed_search_queue.hpp"

#if defined(PARLEY_REDIS)
#include "uci/server/queue/queue_metrics.hpp"
#include "uci/server/queue/redis_job_producer.hpp"
#include "uci/server/queue/redis_url.hpp"
#include "uci/server/queue/remote_search_queue.hpp"
#endif

namespace uci::server {

#if defined(PARLEY_REDIS)

namespace {

/// The limits are those of the RemoteSearchQueue, which knows of all searches.
SearchQueuePolicy policy_of_local_queue(SearchQueuePolicy policy, const SearchSettings& settings) {
    if (settings.queue_url.empty())
        return policy;
    constexpr auto unlimited = std::numeric_limits<std::size_t>::max();
    policy.max_waiting_players = policy.max_analyses = unlimited;
    policy.max_jobs_per_client = policy.max_analyses_per_client = unlimited;
    policy.clears_table = true;
    return policy;
}

/// Workers in a Redis, and the queue that uses them.
class Workers {
public:
    Workers(LocalSearchQueue& local,
            boost::asio::io_context& io,
            const SearchQueuePolicy& policy,
            const SearchSettings& settings)
        : io_{io},
          address_{*queue::read_redis_url(settings.queue_url)},
          queue_{local,
                 producer_,
                 {policy, {settings.megabytes, settings.uses_tables}, queue::name_of(address_)},
                 [this](std::optional<SearchQueue::Time> time) { timer_.set(time); }},
          timer_{io, [this] { queue_.wake(); }},
          producer_{address_, handlers()} {}

    queue::RemoteSearchQueue& queue() { return queue_; }
    const queue::RemoteSearchQueue& queue() const { return queue_; }

private:
    /// Brings what the producer's threads have heard into this thread.
    queue::RedisJobProducer::Handlers handlers() {
        return {[this](queue::JobEvent event) {
                    boost::asio::post(io_, [this, event = std::move(event)]() mutable {
                        queue_.handle(std::move(event));
                    });
                },
                [this](queue::QueueState state) {
                    boost::asio::post(io_, [this, state = std::move(state)]() mutable {
                        queue_.handle(std::move(state));
                    });
                }};
    }

    boost::asio::io_context& io_;
    store::RedisAddress address_;
    queue::RemoteSearchQueue queue_;
    WakeTimer timer_;
    queue::RedisJobProducer producer_;  ///< last: its threads use what is above
};

}  // namespace

class ServerSearches::Implementation {
public:
    Implementation(engine::GeneralInterface& engine,
                   boost::asio::io_context& io,
                   const SearchQueuePolicy& policy,
                   const SearchSettings& settings)
        : local_{engine, io, policy_of_local_queue(policy, settings)} {
        if (!settings.queue_url.empty())
            workers_.emplace(local_, io, policy, settings);
    }

    SearchQueue& queue() {
        return workers_ ? static_cast<SearchQueue&>(workers_->queue()) : local_;
    }
    void handle_response(const engine::Response& response) { local_.handle_response(response); }
    void write_metrics(MetricsWriter& metrics) const {
        if (!workers_)
            return write_search_metrics(metrics, local_.statistics());
        write_search_metrics(metrics, workers_->queue().statistics());
        queue::write_queue_metrics(metrics, workers_->queue().state(),
                                   workers_->queue().remote_statistics());
    }

private:
    TimedSearchQueue local_;
    std::optional<Workers> workers_;
};

std::optional<core::Error> check_queue_url(const std::string& url) {
    return queue::check_redis_url(url);
}

#else

class ServerSearches::Implementation {
public:
    Implementation(engine::GeneralInterface& engine,
                   boost::asio::io_context& io,
                   const SearchQueuePolicy& policy,
                   const SearchSettings& /*settings*/)
        : local_{engine, io, policy} {}

    SearchQueue& queue() { return local_; }
    void handle_response(const engine::Response& response) { local_.handle_response(response); }
    void write_metrics(MetricsWriter& metrics) const {
        write_search_metrics(metrics, local_.statistics());
    }

private:
    TimedSearchQueue local_;
};

std::optional<core::Error> check_queue_url(const std::string& /*url*/) {
    return core::Error{"this program was built without Redis"};
}

#endif

ServerSearches::ServerSearches(engine::GeneralInterface& engine,
                               boost::asio::io_context& io,
                               const SearchQueuePolicy& policy,
                               const SearchSettings& settings)
    : implementation_{std::make_unique<Implementation>(engine, io, policy, settings)} {}

ServerSearches::~ServerSearches() = default;

SearchQueue& ServerSearches::queue() {
    return implementation_->queue();
}

void ServerSearches::handle_response(const engine::Response& response) {
    implementation_->handle_response(response);
}

void ServerSearches::write_metrics(MetricsWriter& metrics) const {
    implementation_->write_metrics(metrics);
}

}  // namespace uci::server
