#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "uci/store/store.hpp"
#include "uci/util/latency_histogram.hpp"
#include "uci/util/log.hpp"
#include "uci/util/rare_log.hpp"

namespace uci::store {

/// How many jobs may wait for a store, and for how long.
struct AsyncLimits {
    std::size_t max_pending = 10'000;
    /// A job that has waited longer fails. So a store that hangs delays every client by this time,
    /// not by the sum of all jobs before.
    std::chrono::seconds max_wait{5};
};

/// What a store has done since the server's start.
struct StoreStatistics {
    std::uint64_t errors = 0;
    util::LatencyHistogram latency{};  ///< from submit() to the result, the wait included
};

/// Runs the jobs of a server's thread on a store, one after the other, in a thread of the store's
/// own, and calls back in the server's thread. Logs the store's errors, but not a flood of them.
/// Belongs to the server's thread; the store's thread ends with this object.
class AsyncStore {
public:
    AsyncStore(boost::asio::io_context& io, std::unique_ptr<Store> store, AsyncLimits limits = {})
        : io_{io},
          store_{std::move(store)},
          limits_{limits} {}
    ~AsyncStore() {
        thread_.stop();
        thread_.join();
    }
    AsyncStore(const AsyncStore&) = delete;
    AsyncStore& operator=(const AsyncStore&) = delete;
    AsyncStore(AsyncStore&&) = delete;
    AsyncStore& operator=(AsyncStore&&) = delete;

    template <typename Value>
    using Job = std::function<core::Result<Value>(Store&)>;
    template <typename Value>
    using Callback = std::function<void(core::Result<Value>)>;

    /// Queues a job. The callback gets its result, never before submit() returns. Error, and the
    /// job is not run: too many jobs are pending, or this one has waited too long.
    template <typename Value>
    void submit(Job<Value> job, Callback<Value> callback) {
        if (pending_ >= limits_.max_pending) {
            const core::Error error{"too many requests wait for the store"};
            note_error(error.reason);
            boost::asio::post(io_, [callback = std::move(callback), error] { callback(error); });
            return;
        }
        ++pending_;
        boost::asio::post(thread_, [this, job = std::move(job), callback = std::move(callback),
                                    submitted = Clock::now(),
                                    guard = boost::asio::make_work_guard(io_)]() mutable {
            auto result = Clock::now() - submitted < limits_.max_wait
                            ? run(job)
                            : core::Result<Value>{core::Error{"the store is too slow"}};
            boost::asio::post(io_, [this, submitted, callback = std::move(callback),
                                    result = std::move(result)]() mutable {
                --pending_;
                statistics_.latency.add(Clock::now() - submitted);
                if (!result)
                    note_error(result.reason());
                callback(std::move(result));
            });
        });
    }

    const StoreStatistics& statistics() const { return statistics_; }
    std::size_t count_pending() const { return pending_; }

private:
    using Clock = std::chrono::steady_clock;

    // An exception here would end the program: it leaves a thread that has no handler.
    template <typename Value>
    core::Result<Value> run(const Job<Value>& job) {
        try {
            return job(*store_);
        }
        catch (const std::exception& exception) {
            return core::Error{exception.what()};
        }
    }

    void note_error(std::string_view reason) {
        ++statistics_.errors;
        if (const auto line = errors_.line(reason, Clock::now()))
            util::log_error("store: " + *line);
    }

    boost::asio::io_context& io_;
    std::unique_ptr<Store> store_;
    AsyncLimits limits_;
    util::RareLog errors_;
    StoreStatistics statistics_;
    std::size_t pending_ = 0;
    boost::asio::thread_pool thread_{1};
};

}  // namespace uci::store
