#include "uci/json/web/offline_game.hpp"

#include <memory>
#include <string>
#include <variant>

#include "engine/tasking.hpp"

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/search_policy.hpp"
#include "uci/server/synced_values.hpp"

namespace uci::json::web {

namespace {

/// The id of the only game.
constexpr const char* game_id = "offline";

/// The game and its client. Belongs to the thread that reads the engine's responses.
class OfflineGame {
public:
    OfflineGame(engine::GeneralInterface& engine, transport::Transport& transport)
        : transport_{transport},
          queue_{engine, search_policy()},
          client_{room_->join([this](const std::string& text) { transport_.write_line(text); })} {}

    void handle_message(const std::string& message) {
        room_->handle_message({client_}, message, [this](const Answer& answer) {
            for (const auto& text : answer.messages)
                transport_.write_line(text);
        });
    }
    void handle_response(const engine::Response& response) { queue_.handle_response(response); }

private:
    transport::Transport& transport_;
    server::SearchQueue queue_;
    std::shared_ptr<GameRoom> room_ = std::make_shared<GameRoom>(game_id, RoomServices{queue_});
    std::size_t client_;
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
