#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
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
    std::set<std::string> servers{};                  ///< those that run
    std::optional<std::chrono::milliseconds> time{};  ///< the shared one

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
            if (found == records.end())
                return callback(Found{});
            callback(std::make_shared<const uci::json::web::StoredRoom>(
                uci::json::web::read_stored_room(found->second)));
        });
    }
    void remove(const std::string& id, OnDone callback) override {
        calls_.push_back([this, id, callback = std::move(callback)] {
            if (fails)
                return callback(core::Error{"down"});
            callback(records.erase(id) == 1);
        });
    }

    void check_server(const std::string& name, OnDone callback) override {
        calls_.push_back([this, name, callback = std::move(callback)] {
            if (fails)
                return callback(core::Error{"down"});
            callback(servers.contains(name));
        });
    }
    std::optional<std::chrono::milliseconds> shared_time() const override { return time; }

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
