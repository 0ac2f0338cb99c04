#pragma once

#include "uci/server/search_queue.hpp"
#include "uci/server/wake_timer.hpp"

namespace uci::server {

/// A SearchQueue whose time slices end on time, by a timer of its thread's io_context.
class TimedSearchQueue : public SearchQueue {
public:
    TimedSearchQueue(engine::GeneralInterface& engine,
                     boost::asio::io_context& io,
                     SearchQueuePolicy policy = {})
        : SearchQueue{engine, policy, [this](std::optional<Time> time) { timer_.set(time); }},
          timer_{io, [this] { wake(); }} {}

private:
    WakeTimer timer_;
};

}  // namespace uci::server
