#include "uci/json/web/offline_game.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/tasking.hpp"

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/room_record.hpp"
#include "uci/json/web/room_store.hpp"
#include "uci/json/web/search_policy.hpp"
#include "uci/server/local_search_queue.hpp"
#include "uci/server/synced_values.hpp"

namespace uci::json::web {

namespace {

/// The id of the only game.
constexpr const char* game_id = "offline";

/// Has the client store the game. Belongs to the thread that reads the engine's responses.
class ClientStore : public RoomStore {
public:
    explicit ClientStore(transport::Transport& transport) : transport_{transport} {}

    const std::string& server() const override { return server_; }
    void save(RoomSave save, OnDone callback) override {
        transport_.write_line(save.after);
        calls_.emplace_back([callback = std::move(callback)] { callback(true); });
    }
    void find(const std::string& /*id*/, OnFound callback) override {
        calls_.emplace_back([callback = std::move(callback)] { callback(Found{}); });
    }
    void remove(const std::string& /*id*/, OnDone callback) override {
        calls_.emplace_back([callback = std::move(callback)] { callback(false); });
    }
    void check_server(const std::string& /*name*/, OnDone callback) override {
        calls_.emplace_back([callback = std::move(callback)] { callback(false); });
    }
    std::optional<std::chrono::milliseconds> shared_time() const override { return std::nullopt; }
    /// Makes the calls that are due.
    void call_back() {
        while (!calls_.empty()) {
            const auto call = std::move(calls_.front());
            calls_.pop_front();
            call();
        }
    }

private:
    transport::Transport& transport_;
    std::string server_{game_id};
    std::deque<std::function<void()>> calls_;
};

/// The game and its client. Belongs to the thread that reads the engine's responses.
class OfflineGame {
public:
    OfflineGame(engine::GeneralInterface& engine, transport::Transport& transport)
        : transport_{transport},
          store_{transport},
          queue_{engine, search_policy()},
          client_{room_->join([this](const std::string& text) { transport_.write_line(text); })} {}

    void handle_message(const std::string& message) {
        const auto record = std::exchange(has_begun_, true) ? core::Error{"not the first message"}
                                                            : read_room_record(message);
        if (record) {
            room_->restore(*record, message, write_room_state(*record));
            room_->take_over_search();
            store_.call_back();
            return;
        }
        room_->handle_message({client_}, message, [this](const Answer& answer) {
            for (const auto& text : answer.messages)
                transport_.write_line(text);
        });
        store_.call_back();
    }
    void handle_response(const engine::Response& response) {
        queue_.handle_response(response);
        store_.call_back();
    }

private:
    transport::Transport& transport_;
    ClientStore store_;
    server::LocalSearchQueue queue_;
    std::shared_ptr<GameRoom> room_ =
        std::make_shared<GameRoom>(game_id, RoomServices{.queue = queue_, .store = &store_});
    std::size_t client_;
    bool has_begun_ = false;
};

}  // namespace

void run_offline_game(engine::GeneralInterface& engine, transport::Transport& transport) {
    server::SyncedValues<std::string> messages{engine};
    engine::Task player;
    player.start([&] {
        OfflineGame game{engine, transport};
        while (const auto response = engine.next_response()) {
            if (const auto* marker = std::get_if<engine::Synced>(&*response))
                game.handle_message(messages.receive(*marker));
            else
                game.handle_response(*response);
        }
    });
    while (auto line = transport.read_line())
        messages.send(std::move(*line));
    engine.quit();
    player.wait();
}

}  // namespace uci::json::web
