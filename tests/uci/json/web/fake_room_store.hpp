#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "uci/json/web/room_store.hpp"

namespace tests {

/// A store of rooms that answers when the test says so, in the order of the calls.
class FakeRoomStore : public uci::json::web::RoomStore {
public:
    /// What other servers may have stored, too.
    std::map<std::string, std::string> records;
    bool fails = false;      ///< the next answers are errors
    bool is_silent = false;  ///< what fails is stored all the same
    int finds = 0;

    const std::string& server() const override { return server_; }
    void save(uci::json::web::RoomSave save, OnDone callback) override {
        calls_.push_back([this, save = std::move(save), callback = std::move(callback)] {
            callback(put(save));
        });
    }
    void find(const std::string& id, OnFound callback) override {
        ++finds;
        calls_.push_back([this, id, callback = std::move(callback)] {
            if (fails)
                return callback(core::Error{"down"});
            const auto found = records.find(id);
            callback(found == records.end() ? std::nullopt : std::optional{found->second});
        });
    }
    void remove(const std::string& id, OnDone callback) override {
        calls_.push_back([this, id, callback = std::move(callback)] {
            if (fails)
                return callback(core::Error{"down"});
            callback(records.erase(id) == 1);
        });
    }

    std::size_t count_waiting() const { return calls_.size(); }
    /// Answers one call.
    void answer() {
        const auto call = std::move(calls_.front());
        calls_.pop_front();
        call();
    }
    /// Answers until there are no more calls.
    void answer_all() {
        while (!calls_.empty())
            answer();
    }

private:
    core::Result<bool> put(const uci::json::web::RoomSave& save) {
        if (fails && !is_silent)
            return core::Error{"down"};
        const auto found = records.find(save.id);
        const bool is_expected =
            found == records.end() || found->second == save.before
            || (save.is_uncertain && found->second.find(server_) != std::string::npos);
        if (is_expected)
            records[save.id] = save.after;
        return fails ? core::Result<bool>{core::Error{"no answer"}} : is_expected;
    }

    std::string server_{"this server"};
    std::deque<std::function<void()>> calls_;
};

}  // namespace tests
