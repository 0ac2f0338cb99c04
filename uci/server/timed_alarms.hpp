#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "uci/server/alarms.hpp"

namespace uci::server {

/// Alarms that go off by a timer of their thread's io_context.
class TimedAlarms : public Alarms {
public:
    explicit TimedAlarms(boost::asio::io_context& io)
        : Alarms{[this](std::optional<Time> time) { set_timer(time); }},
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
                wake(std::chrono::steady_clock::now());
        });
    }

    boost::asio::steady_timer timer_;
};

}  // namespace uci::server
