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

ServerRuntime::ServerRuntime(engine::GeneralInterface& engine)
    : engine_{engine},
      signals_{io_, SIGINT, SIGTERM},
      stop_timer_{io_} {
    // A broken connection, or a closed stderr, is noticed where it is used.
    util::ignore_broken_pipes();
}

void ServerRuntime::run(OnResponse on_response, OnStop on_stop) {
    on_response_ = std::move(on_response);
    on_stop_ = std::move(on_stop);
    signals_.async_wait([this](const boost::system::error_code& cancelled, int /*signal*/) {
        if (!cancelled)
            request_stop();
    });
    std::thread engine_pump{[this] {
        while (auto response = engine_.next_response())
            boost::asio::post(io_,
                              [this, response = std::move(*response)] { on_response_(response); });
    }};
    run_handlers();
    engine_.quit();
    engine_pump.join();
}

void ServerRuntime::request_stop() {
    if (std::exchange(stopping_, true))
        return;
    signals_.cancel();
    on_stop_();
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
