#pragma once

#include "uci/server/local_search_queue.hpp"
#include "uci/server/wake_timer.hpp"

namespace uci::server {

/// A LocalSearchQueue whose time slices end on time, by a timer of its thread's io_context.
class TimedSearchQueue : public LocalSearchQueue {
public:
    TimedSearchQueue(engine::GeneralInterface& engine,
                     boost::asio::io_context& io,
                     SearchQueuePolicy policy = {})
        : LocalSearchQueue{engine, policy, [this](std::optional<Time> time) { timer_.set(time); }},
          timer_{io, [this] { wake(); }} {}

private:
    WakeTimer timer_;
};

}  // namespace uci::server
