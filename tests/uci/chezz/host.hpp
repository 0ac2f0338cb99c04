#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "uci/chezz/record.hpp"
#include "uci/chezz/room.hpp"

#include "tests/catch.hpp"

namespace tests {

/// A guest who remembers what was said.
class Listener : public uci::chezz::Guest {
public:
    explicit Listener(uci::chezz::UserId user) : user_{user} {}

    uci::chezz::UserId user() const override { return user_; }
    bool is_gone() const override { return gone; }
    void tell(const std::vector<std::string>& messages) override {
        heard.insert(heard.end(), messages.begin(), messages.end());
    }
    void dismiss() override { dismissed = true; }

    /// What was said since it was asked for the last time.
    std::vector<std::string> news() { return std::exchange(heard, {}); }

    std::vector<std::string> heard;
    bool gone = false;
    bool dismissed = false;

private:
    uci::chezz::UserId user_;
};

/// A host with a store that answers when it is told to, and an engine of the same kind.
class Host : public uci::chezz::RoomHost {
public:
    using GameId = uci::chezz::GameId;
    using UserId = uci::chezz::UserId;

    const uci::chezz::Rules& rules() const override { return rules_; }
    void find(GameId id, Found found) override {
        waiting_.push_back([this, id, found] {
            if (is_down)
                found(core::Error{"down"});
            else
                found(record_of(id));
        });
    }
    void replace(GameId id, std::string before, std::string after, Replaced done) override {
        waiting_.push_back([this, id, before, after, done] {
            if (is_down)
                return done(core::Error{"down"});
            const bool same = record_of(id) == before;
            if (same)
                records[id] = after;
            if (forgets_to_answer)
                return done(core::Error{"no answer"});
            done(same);
        });
    }
    bool think(const uci::chezz::Table& table, Thought thought) override {
        thought_about = table;
        thoughts.push_back(std::move(thought));
        return !engine_is_busy;
    }
    std::optional<std::size_t> plies_seen(UserId user, GameId id) override {
        const auto found = seen.find({user, id});
        return found == seen.end() ? std::nullopt : std::optional{found->second};
    }
    void note_plies_seen(UserId user, GameId id, std::size_t plies) override {
        seen[{user, id}] = plies;
    }

    /// Lets the store answer the next question, or all.
    void answer_one() {
        REQUIRE_FALSE(waiting_.empty());
        const auto answer = waiting_.front();
        waiting_.pop_front();
        answer();
    }
    void answer_all() {
        while (!waiting_.empty())
            answer_one();
    }
    std::size_t questions() const { return waiting_.size(); }

    void put(const uci::chezz::Table& table) { records[table.id] = game_record(table); }
    uci::chezz::Table table(GameId id) { return *uci::chezz::read_game_record(records[id]); }

    std::map<GameId, std::string> records;
    std::map<std::pair<UserId, GameId>, std::size_t> seen;
    std::optional<uci::chezz::Table> thought_about;
    std::vector<Thought> thoughts;
    bool is_down = false;
    bool forgets_to_answer = false;
    bool engine_is_busy = false;

private:
    std::optional<std::string> record_of(GameId id) {
        const auto found = records.find(id);
        return found == records.end() ? std::nullopt : std::optional{found->second};
    }

    uci::chezz::Rules rules_;
    std::deque<std::function<void()>> waiting_;
};

}  // namespace tests
