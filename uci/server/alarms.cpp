#include "uci/server/alarms.hpp"

namespace uci::server {

void Alarms::set(const std::string& name, Time time, Call call) {
    if (const auto found = by_name_.find(name); found != by_name_.end())
        queue_.erase(found->second);
    by_name_[name] = queue_.emplace(time, std::pair{name, std::move(call)});
    set_timer();
}

void Alarms::cancel(const std::string& name) {
    const auto found = by_name_.find(name);
    if (found == by_name_.end())
        return;
    queue_.erase(found->second);
    by_name_.erase(found);
    set_timer();
}

void Alarms::wake(Time now) {
    timer_.reset();  // it has gone off
    while (!queue_.empty() && queue_.begin()->first <= now) {
        const auto due = queue_.extract(queue_.begin());
        by_name_.erase(due.mapped().first);
        set_timer();  // before the call, which may throw
        due.mapped().second();
    }
    set_timer();
}

/// Sets the timer to the first alarm, unless it is set to it.
void Alarms::set_timer() {
    const auto first = queue_.empty() ? std::nullopt : std::optional{queue_.begin()->first};
    if (timer_ == first)
        return;
    timer_ = first;
    wake_at_(first);
}

}  // namespace uci::server
