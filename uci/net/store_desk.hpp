#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "uci/chezz/limits.hpp"
#include "uci/store/store.hpp"

namespace uci::net {

/// Where the server's thread hands in what it wants of a store, which has a thread of its own:
/// one matter after the other, and what came of it is said in the server's thread again. The
/// store's thread ends with the desk. Belongs to the server's thread.
class StoreDesk {
public:
    StoreDesk(boost::asio::io_context& io, std::unique_ptr<store::Store> store)
        : io_{io},
          store_{std::move(store)} {}
    ~StoreDesk() {
        thread_.stop();
        thread_.join();
    }
    StoreDesk(const StoreDesk&) = delete;
    StoreDesk& operator=(const StoreDesk&) = delete;
    StoreDesk(StoreDesk&&) = delete;
    StoreDesk& operator=(StoreDesk&&) = delete;

    template <typename Value>
    using Work = std::function<core::Result<Value>(store::Store&)>;
    template <typename Value>
    using Then = std::function<void(core::Result<Value>)>;

    /// Does something with the store; then tells what came of it, never before this returns. Fails,
    /// and nothing is done, when too many wait or the store's turn comes too late.
    template <typename Value>
    void ask(Work<Value> work, Then<Value> then) {
        if (waiting_ >= chezz::Limits::waiting_for_store) {
            boost::asio::post(io_, [then = std::move(then)] {
                then(core::Error{"too many wait for the store"});
            });
            return;
        }
        ++waiting_;
        auto job = [this, work = std::move(work), then = std::move(then), asked = Clock::now(),
                    guard = boost::asio::make_work_guard(io_)]() mutable {
            auto result = Clock::now() - asked < chezz::Limits::longest_wait_for_store
                            ? work(*store_)
                            : core::Result<Value>{core::Error{"the store is too slow"}};
            boost::asio::post(io_,
                              [this, then = std::move(then), result = std::move(result)]() mutable {
                                  --waiting_;
                                  then(std::move(result));
                              });
        };
        boost::asio::post(thread_, std::move(job));
    }

private:
    using Clock = std::chrono::steady_clock;

    boost::asio::io_context& io_;
    std::unique_ptr<store::Store> store_;
    std::size_t waiting_ = 0;
    boost::asio::thread_pool thread_{1};
};

}  // namespace uci::net
