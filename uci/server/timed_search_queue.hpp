#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "uci/server/search_queue.hpp"

namespace uci::server {

/// A SearchQueue whose time slices end on time, by a timer of its thread's io_context.
class TimedSearchQueue : public SearchQueue {
public:
    TimedSearchQueue(engine::GeneralInterface& engine,
                     boost::asio::io_context& io,
                     SearchQueuePolicy policy = {})
        : SearchQueue{engine, policy, [this](std::optional<Time> time) { set_timer(time); }},
          timer_{io} {}

private:
    void set_timer(std::optional<Time> time) {
        if (!time) {
            timer_.cancel();
            return;
        }
        timer_.expires_at(*time);
        timer_.async_wait([this](const boost::system::error_code& cancelled) {
            if (!cancelled)
                wake();
        });
    }

    boost::asio::steady_timer timer_;
};

}  // namespace uci::server
