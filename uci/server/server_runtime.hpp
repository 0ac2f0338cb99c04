#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "engine/general_interface.hpp"

#include "uci/server/service_notifier.hpp"

namespace uci::server {

/// How a server lets its clients finish before it stops.
struct DrainPolicy {
    std::chrono::seconds time{0};     ///< for clients to finish; 0 stops at once
    std::function<void()> begin{};    ///< accepts no more clients
    std::function<bool()> is_done{};  ///< whether no client is left
};

/// What every server of Parley needs around its sockets: one I/O thread, the engine's responses in
/// that thread, a graceful stop, an exception barrier, and reports to the supervisor. Belongs to
/// the thread that calls run(), which becomes the I/O thread. Must outlive everything that uses its
/// io_context.
class ServerRuntime {
public:
    using OnResponse = std::function<void(const engine::Response&)>;
    using OnStop = std::function<void()>;

    /// Ignores SIGPIPE in this process and catches SIGINT and SIGTERM from now on.
    explicit ServerRuntime(engine::GeneralInterface& engine) : ServerRuntime{&engine} {}
    /// The same for a server whose engines are those of its clients.
    ServerRuntime() : ServerRuntime{nullptr} {}

    boost::asio::io_context& io() { return io_; }

    /// Serves until there is nothing left to do, or until io() is stopped; then ends the engine.
    /// Calls `on_response` for each response of the engine, and `on_stop` once: after drain(),
    /// which a signal calls too, or on request_stop(). An exception from any handler is logged, and
    /// the server goes on: the connection whose handler threw is closed because nothing refers to
    /// it any more.
    void run(OnResponse on_response, OnStop on_stop, DrainPolicy drain = {});
    /// The same without an engine.
    void run(OnStop on_stop) { run(nullptr, std::move(on_stop)); }

    /// Begins to drain: the server stops as soon as no client is left or the time for that is over.
    /// A second call changes nothing; a signal meanwhile stops the server at once.
    void drain();
    bool is_draining() const { return draining_; }
    /// Stops without draining: calls `on_stop` unless that has happened.
    void request_stop();
    /// For `on_stop`: stops io() as soon as `is_empty` holds, so that the last answers and close
    /// frames still go out, and at the latest after 200 ms.
    void stop_when(std::function<bool()> is_empty);

private:
    explicit ServerRuntime(engine::GeneralInterface* engine);

    void pump_responses();
    void wait_for_signal();
    void wait_until_drained(std::chrono::steady_clock::time_point end);
    void wait_until_empty(std::chrono::milliseconds left);
    void feed_watchdog();
    void run_handlers();

    engine::GeneralInterface* engine_;  ///< null if there is none
    ServiceNotifier notifier_;
    boost::asio::io_context io_;
    boost::asio::signal_set signals_;
    OnResponse on_response_;
    OnStop on_stop_;
    DrainPolicy drain_;
    std::function<bool()> is_empty_;
    boost::asio::steady_timer stop_timer_;
    boost::asio::steady_timer watchdog_timer_;
    bool draining_ = false;
    bool stopping_ = false;
};

}  // namespace uci::server
