#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace uci::server {

/// Calls functions at their times, each once: one timer for all games of a server. Belongs to one
/// thread.
class Alarms {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Call = std::function<void()>;
    /// Sets the timer that calls wake(), or clears it.
    using WakeAt = std::function<void(std::optional<Time>)>;

    explicit Alarms(WakeAt wake_at) : wake_at_{std::move(wake_at)} {}

    /// Sets the alarm of that name, in place of the one that it has.
    void set(const std::string& name, Time time, Call call);
    /// Does nothing if there is no alarm of that name.
    void cancel(const std::string& name);
    /// Calls what is due. The functions may set and cancel alarms.
    void wake(Time now);

private:
    using Queue = std::multimap<Time, std::pair<std::string, Call>>;

    void set_timer();

    WakeAt wake_at_;
    std::optional<Time> timer_;
    Queue queue_;
    std::map<std::string, Queue::iterator> by_name_;
};

}  // namespace uci::server
