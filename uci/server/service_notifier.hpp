#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace uci::server {

/// Tells the supervisor that started this process what it does, as sd_notify(3) does: by datagrams
/// to the UNIX socket that $NOTIFY_SOCKET names. Does nothing without one, and on Windows.
class ServiceNotifier {
public:
    /// Reads the environment.
    ServiceNotifier();

    /// Sends a state such as "READY=1". A failure is not reported; waits for a second at most.
    void notify(std::string_view state) const;
    /// How often the supervisor wants to hear "WATCHDOG=1", at least.
    std::optional<std::chrono::microseconds> watchdog_interval() const { return watchdog_; }

private:
    std::string socket_;  ///< empty for none
    std::optional<std::chrono::microseconds> watchdog_;
};

}  // namespace uci::server
