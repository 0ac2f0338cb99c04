#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "uci/chezz/game_room.hpp"
#include "uci/chezz/record.hpp"

#include "tests/catch.hpp"

namespace tests {

/// A client that records the messages sent to it.
class FakeClient : public uci::chezz::Client {
public:
    explicit FakeClient(uci::chezz::UserId user, std::string client_key = {})
        : user_{user},
          client_key_{std::move(client_key)} {}

    uci::chezz::UserId user() const override { return user_; }
    const std::string& client_key() const override { return client_key_; }
    bool has_left() const override { return left; }
    void send(const std::vector<std::string>& messages) override {
        received.insert(received.end(), messages.begin(), messages.end());
    }
    void disconnect() override { disconnected = true; }

    /// The messages received since the last call.
    std::vector<std::string> received_messages() { return std::exchange(received, {}); }

    std::vector<std::string> received;
    bool left = false;
    bool disconnected = false;

private:
    uci::chezz::UserId user_;
    std::string client_key_;
};

/// A store and an engine that answer when the test calls answer_one(), answer_all() or a move
/// request.
class FakeServices : public uci::chezz::GameRoomServices {
public:
    using GameId = uci::chezz::GameId;
    using UserId = uci::chezz::UserId;

    const uci::chezz::Rules& rules() const override { return rules_; }
    Deadline store_deadline() const override { return now; }
    void find_game(GameId id,
                   std::optional<std::string> known_record,
                   Deadline deadline,
                   GameCallback callback) override {
        deadlines.push_back(deadline);
        pending_.push_back([this, id, known_record, callback] {
            if (is_down)
                callback(core::Error{"down"});
            else
                callback(uci::chezz::read_stored_game(record_of(id), known_record));
        });
    }
    void replace_record(GameId id,
                        std::string before,
                        std::string after,
                        Deadline deadline,
                        ReplaceCallback callback) override {
        deadlines.push_back(deadline);
        pending_.push_back([this, id, before, after, callback] {
            if (is_down)
                return callback(core::Error{"down"});
            const bool same = record_of(id) == before;
            if (same)
                records[id] = after;
            if (loses_replies)
                return callback(core::Error{"no answer"});
            callback(same);
        });
    }
    void when_store_may_work(std::function<void()> retry) override {
        store_retries.push_back(std::move(retry));
    }
    bool request_move(const uci::chezz::GameState& state,
                      const std::string& client_key,
                      MoveCallback callback) override {
        requested_state = state;
        requesting_client = client_key;
        move_requests.push_back(std::move(callback));
        return !engine_is_busy;
    }
    void when_queue_not_full(const std::string& client_key, std::function<void()> retry) override {
        retrying_client = client_key;
        retries.push_back(std::move(retry));
    }
    std::optional<std::size_t> plies_seen(UserId user, GameId id) override {
        const auto found = seen.find({user, id});
        return found == seen.end() ? std::nullopt : std::optional{found->second};
    }
    void set_plies_seen(UserId user, GameId id, std::size_t plies) override {
        seen[{user, id}] = plies;
    }

    /// Runs the next pending call of the store.
    void answer_one() {
        REQUIRE_FALSE(pending_.empty());
        const auto answer = pending_.front();
        pending_.pop_front();
        answer();
    }
    void answer_all() {
        while (!pending_.empty())
            answer_one();
    }
    std::size_t pending_calls() const { return pending_.size(); }

    void store(const uci::chezz::GameState& state) { records[state.id] = game_record(state); }
    uci::chezz::GameState state(GameId id) { return *uci::chezz::read_game_record(records[id]); }

    std::map<GameId, std::string> records;
    std::map<std::pair<UserId, GameId>, std::size_t> seen;
    std::optional<uci::chezz::GameState> requested_state;
    std::string requesting_client;
    std::string retrying_client;
    std::vector<MoveCallback> move_requests;
    std::vector<std::function<void()>> retries;
    std::vector<std::function<void()>> store_retries;
    Deadline now;
    std::vector<Deadline> deadlines;  ///< of all calls of the store
    bool is_down = false;
    bool loses_replies = false;
    bool engine_is_busy = false;

private:
    std::optional<std::string> record_of(GameId id) {
        const auto found = records.find(id);
        return found == records.end() ? std::nullopt : std::optional{found->second};
    }

    uci::chezz::Rules rules_;
    std::deque<std::function<void()>> pending_;
};

}  // namespace tests
