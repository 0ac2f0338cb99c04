#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace uci::server {

/// Calls a function in its thread's io_context at the only time that is set.
class WakeTimer {
public:
    using Time = std::chrono::steady_clock::time_point;

    WakeTimer(boost::asio::io_context& io, std::function<void()> wake)
        : timer_{io},
          wake_{std::move(wake)} {}

    void set(std::optional<Time> time) {
        if (!time) {
            timer_.cancel();
            return;
        }
        timer_.expires_at(*time);
        timer_.async_wait([this](const boost::system::error_code& cancelled) {
            if (!cancelled)
                wake_();
        });
    }

private:
    boost::asio::steady_timer timer_;
    std::function<void()> wake_;
};

}  // namespace uci::server
