#include "uci/server/server_runtime.hpp"

#include <boost/asio/post.hpp>
#include <csignal>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::server {

namespace {

constexpr std::chrono::milliseconds max_stop_wait{200};
constexpr std::chrono::milliseconds poll_interval{10};

}  // namespace

ServerRuntime::ServerRuntime(engine::GeneralInterface* engine)
    : engine_{engine},
      signals_{io_, SIGINT, SIGTERM},
      stop_timer_{io_},
      watchdog_timer_{io_} {
    // A broken connection, or a closed stderr, is noticed where it is used.
    util::ignore_broken_pipes();
}

void ServerRuntime::run(OnResponse on_response, OnStop on_stop, DrainPolicy drain) {
    on_response_ = std::move(on_response);
    on_stop_ = std::move(on_stop);
    drain_ = std::move(drain);
    wait_for_signal();
    std::thread engine_pump;
    if (engine_ != nullptr)
        engine_pump = std::thread{[this] { pump_responses(); }};
    notifier_.notify("READY=1");
    feed_watchdog();
    run_handlers();
    util::log_info("stopped");
    if (engine_ == nullptr)
        return;
    engine_->quit();
    engine_pump.join();
}

void ServerRuntime::pump_responses() {
    while (auto response = engine_->next_response())
        boost::asio::post(io_, [this, response = std::move(*response)] { on_response_(response); });
}

void ServerRuntime::wait_for_signal() {
    signals_.async_wait([this](const boost::system::error_code& cancelled, int signal) {
        if (cancelled)
            return;
        wait_for_signal();
        util::log_info("signal received", {{"signal", signal == SIGINT ? "SIGINT" : "SIGTERM"}});
        if (draining_)
            request_stop();
        else
            drain();
    });
}

void ServerRuntime::drain() {
    if (stopping_ || draining_)
        return;
    draining_ = true;
    if (drain_.time.count() == 0)
        return request_stop();
    util::log_info("draining", {{"seconds", drain_.time.count()}});
    notifier_.notify("STOPPING=1");
    wait_until_drained(std::chrono::steady_clock::now() + drain_.time);
    drain_.begin();
}

void ServerRuntime::wait_until_drained(std::chrono::steady_clock::time_point end) {
    stop_timer_.expires_after(poll_interval);
    stop_timer_.async_wait([this, end](const boost::system::error_code& cancelled) {
        if (cancelled || stopping_)
            return;
        if (drain_.is_done() || std::chrono::steady_clock::now() >= end)
            request_stop();
        else
            wait_until_drained(end);
    });
}

void ServerRuntime::request_stop() {
    if (std::exchange(stopping_, true))
        return;
    draining_ = true;
    util::log_info("stopping");
    notifier_.notify("STOPPING=1");
    signals_.cancel();
    stop_timer_.cancel();
    watchdog_timer_.cancel();
    on_stop_();
}

/// Twice in each interval, from the I/O thread: so a supervisor notices when that hangs.
void ServerRuntime::feed_watchdog() {
    const auto interval = notifier_.watchdog_interval();
    if (!interval || stopping_)
        return;
    notifier_.notify("WATCHDOG=1");
    watchdog_timer_.expires_after(*interval / 2);
    watchdog_timer_.async_wait([this](const boost::system::error_code& cancelled) {
        if (!cancelled)
            feed_watchdog();
    });
}

void ServerRuntime::stop_when(std::function<bool()> is_empty) {
    is_empty_ = std::move(is_empty);
    wait_until_empty(max_stop_wait);
}

void ServerRuntime::wait_until_empty(std::chrono::milliseconds left) {
    stop_timer_.expires_after(poll_interval);
    stop_timer_.async_wait([this, left](const boost::system::error_code&) {
        if (is_empty_() || left <= poll_interval)
            io_.stop();
        else
            wait_until_empty(left - poll_interval);
    });
}

void ServerRuntime::run_handlers() {
    for (;;) {
        try {
            io_.run();
            return;
        }
        catch (const std::exception& error) {
            util::log_error(std::string{"internal error: "} + error.what());
        }
        catch (...) {
            util::log_error("internal error");
        }
    }
}

}  // namespace uci::server
