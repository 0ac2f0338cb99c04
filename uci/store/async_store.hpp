#pragma once

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "uci/store/store.hpp"
#include "uci/util/latency_histogram.hpp"
#include "uci/util/log.hpp"
#include "uci/util/log_throttle.hpp"

namespace uci::store {

/// How many jobs may wait for a store, and for how long.
struct AsyncLimits {
    std::size_t max_pending = 10'000;
    /// From submit() to the result. A job that has waited longer fails, and the store gives one up
    /// that it has begun. So a store that hangs delays every client by this time, not by the sum of
    /// all jobs before.
    std::chrono::milliseconds max_wait{5'000};
};

/// What a store has done since the server's start.
struct StoreStatistics {
    std::uint64_t errors = 0;
    util::LatencyHistogram latency{};  ///< from submit() to the result, the wait included
};

/// Runs the jobs of a server's thread on a store, one after the other, in a thread of the store's
/// own, and calls back in the server's thread. What has arrived while the store was busy becomes
/// one batch: the callbacks come when that is committed. Logs the store's errors, but not a flood
/// of them. Belongs to the server's thread; the store's thread ends with this object.
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
    using Deadline = std::chrono::steady_clock::time_point;

    /// When a job fails that is submitted now. For requests that need several jobs one after the
    /// other.
    Deadline deadline() const { return Clock::now() + limits_.max_wait; }

    /// Queues a job. The callback gets its result, never before submit() returns. Error, and the
    /// job is not run: too many jobs are pending, or this one has waited too long.
    template <typename Value>
    void submit(Job<Value> job, Callback<Value> callback) {
        submit(std::move(job), std::move(callback), deadline());
    }
    template <typename Value>
    void submit(Job<Value> job, Callback<Value> callback, Deadline deadline) {
        if (pending_ >= limits_.max_pending) {
            const core::Error error{"too many requests wait for the store"};
            note_error(error.reason);
            boost::asio::post(io_, [callback = std::move(callback), error] { callback(error); });
            return;
        }
        ++pending_;
        enqueue([this, job = std::move(job), callback = std::move(callback),
                 submitted = Clock::now(), deadline,
                 guard = boost::asio::make_work_guard(io_)](Store& store) mutable -> Deliver {
            store.set_deadline(deadline);
            auto result = Clock::now() < deadline
                            ? guarded<Value>([&] { return job(store); })
                            : core::Result<Value>{core::Error{"the store is too slow"}};
            // Moved: what the callback holds must be released in the server's thread.
            return [this, submitted, callback = std::move(callback), guard,
                    result = std::move(result)](const std::optional<core::Error>& rolled_back) {
                --pending_;
                statistics_.latency.add(Clock::now() - submitted);
                const bool failed_later = rolled_back && result;
                const auto final = failed_later ? core::Result<Value>{*rolled_back} : result;
                if (!final)
                    note_error(final.reason());
                callback(final);
            };
        });
    }

    /// The same for a job that changes something, so that failed_change() tells how it went.
    template <typename Value>
    void submit_change(Job<Value> job, Callback<Value> callback) {
        submit_change(std::move(job), std::move(callback), deadline());
    }
    template <typename Value>
    void submit_change(Job<Value> job, Callback<Value> callback, Deadline deadline) {
        const Callback<Value> note =
            [this, callback = std::move(callback)](const core::Result<Value>& result) {
                failed_change_ = result ? std::nullopt : std::optional{result.error()};
                callback(result);
            };
        submit<Value>(std::move(job), note, deadline);
    }

    /// Has the store remove what has expired and, as long as the last change has failed, try one.
    /// To be called once a second.
    void maintain() {
        submit<bool>(
            [](Store& store) -> core::Result<bool> {
                store.remove_expired();
                return true;
            },
            [](const core::Result<bool>&) {});
        if (failed_change_)
            submit_change<bool>([](Store& store) { return store.try_change(); },
                                [](const core::Result<bool>&) {});
    }

    /// Why the last change failed; nothing if it did not.
    const std::optional<core::Error>& failed_change() const { return failed_change_; }

    const StoreStatistics& statistics() const { return statistics_; }
    std::size_t count_pending() const { return pending_; }

private:
    using Clock = std::chrono::steady_clock;

    /// Calls back with a result, or with the reason why the batch was rolled back.
    using Deliver = std::function<void(const std::optional<core::Error>& rolled_back)>;
    using Request = std::function<Deliver(Store&)>;

    void enqueue(Request request) {
        const std::lock_guard lock{mutex_};
        waiting_.push_back(std::move(request));
        if (!std::exchange(is_running_, true))
            boost::asio::post(thread_, [this] { run_batch(); });
    }

    // In the store's thread.

    /// Runs what has arrived, up to the store's limit, and then itself again.
    void run_batch() {
        auto batch = take_batch();
        std::vector<Deliver> results;
        results.reserve(batch.size());
        const auto begun = guarded<bool>([&] {
            store_->begin_batch();
            return true;
        });
        for (auto& request : batch)
            results.push_back(request(*store_));
        batch.clear();  // before the callbacks, which may hold the same objects
        const auto committed = guarded<bool>([&]() -> core::Result<bool> {
            const auto failed = store_->commit_batch();
            return failed ? core::Result<bool>{*failed} : true;
        });
        const auto& batch_done = begun ? committed : begun;
        const auto rolled_back =
            batch_done ? std::nullopt : std::optional<core::Error>{batch_done.error()};
        for (auto& deliver : results)
            boost::asio::post(
                io_, [deliver = std::move(deliver), rolled_back] { deliver(rolled_back); });
        const std::lock_guard lock{mutex_};
        is_running_ = !waiting_.empty();
        if (is_running_)
            boost::asio::post(thread_, [this] { run_batch(); });
    }

    std::vector<Request> take_batch() {
        const std::lock_guard lock{mutex_};
        const auto size = std::min(waiting_.size(), store_->max_batch());
        const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(size);
        std::vector<Request> batch{std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(end)};
        waiting_.erase(waiting_.begin(), end);
        return batch;
    }

    // An exception would end the program: it leaves a thread that has no handler.
    template <typename Value, typename Call>
    static core::Result<Value> guarded(const Call& call) {
        try {
            return call();
        }
        catch (const std::exception& exception) {
            return core::Error{exception.what()};
        }
        catch (...) {
            return core::Error{"unknown exception"};
        }
    }

    // In the server's thread.

    void note_error(std::string_view reason) {
        ++statistics_.errors;
        if (const auto line = errors_.line(reason, Clock::now()))
            util::log_error("store: " + *line);
    }

    boost::asio::io_context& io_;
    std::unique_ptr<Store> store_;
    AsyncLimits limits_;
    util::LogThrottle errors_;
    StoreStatistics statistics_;
    std::optional<core::Error> failed_change_;  ///< the last one's
    std::size_t pending_ = 0;
    std::mutex mutex_;  ///< guards waiting_ and is_running_
    std::deque<Request> waiting_;
    bool is_running_ = false;  ///< the store's thread will look at waiting_
    boost::asio::thread_pool thread_{1};
};

}  // namespace uci::store
