#pragma once

#include <cassert>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

#include "engine/general_interface.hpp"

namespace uci::server {

/// Passes values to the thread that reads the engine's responses, in order among these: each value
/// waits here and a Synced response marks its turn. Values may be sent from any thread.
template <typename Value>
class SyncedValues {
public:
    explicit SyncedValues(engine::GeneralInterface& engine) : engine_{engine} {}

    /// Sends a value behind all responses so far. False when the engine dropped it, as it does
    /// while 100,000 responses are unread.
    bool send(Value value) {
        const std::lock_guard lock{mutex_};
        values_.emplace_back(next_id_, std::move(value));
        const bool is_sent = engine_.sync(next_id_);
        if (is_sent)
            ++next_id_;
        else
            values_.pop_back();
        return is_sent;
    }
    /// Removes and returns the value that a marker stands for.
    Value receive(const engine::Synced& marker) {
        const std::lock_guard lock{mutex_};
        assert(!values_.empty() && values_.front().first == marker.id);
        static_cast<void>(marker);
        Value value = std::move(values_.front().second);
        values_.pop_front();
        return value;
    }

private:
    engine::GeneralInterface& engine_;
    std::mutex mutex_;  ///< guards what follows
    std::deque<std::pair<std::uint64_t, Value>> values_;
    std::uint64_t next_id_ = 0;
};

}  // namespace uci::server
