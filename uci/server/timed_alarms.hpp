#pragma once

#include "uci/server/alarms.hpp"
#include "uci/server/wake_timer.hpp"

namespace uci::server {

/// Alarms that go off by a timer of their thread's io_context.
class TimedAlarms : public Alarms {
public:
    explicit TimedAlarms(boost::asio::io_context& io)
        : Alarms{[this](std::optional<Time> time) { timer_.set(time); }},
          timer_{io, [this] { wake(std::chrono::steady_clock::now()); }} {}

private:
    WakeTimer timer_;
};

}  // namespace uci::server
