#include <algorithm>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <variant>

#include "core/movegen.hpp"
#include "core/notation.hpp"

#include "uci/xboard/session.hpp"

namespace {

using namespace uci::xboard;

void demand(bool holds) {
    if (!holds)
        std::abort();
}

/// Holds a conversation and plays the engine, which answers late or at once as the lines' lengths
/// say.
class Conversation {
public:
    void say(std::string_view line) {
        const auto command = parse_command(line);
        pings_ += command && std::holds_alternative<Ping>(*command) ? 1 : 0;
        const auto lines = lines_;
        const auto begun = searches_.size() + static_cast<std::size_t>(syncs_);
        perform(session_.handle_line(line, {}));
        // What is refused at once has one answer.
        if (!command && begun == 0)
            demand(lines_ == lines + 1);
        if (line.size() % 2 == 0)
            sync();
        if (line.size() % 3 == 0)
            answer(line.size());
    }
    /// Ends all that has begun; nothing is left then.
    void end() {
        perform(session_.finish());
        while (!searches_.empty() || syncs_ > 0) {
            sync();
            answer(0);
        }
        demand(pings_ == pongs_);
        demand(session_.pending_lines() == 0);
    }

private:
    void sync() {
        if (syncs_ > 0) {
            --syncs_;
            perform(session_.handle_synced());
        }
    }
    /// Reports on the oldest search and ends it with one of its moves.
    void answer(std::size_t choice) {
        if (searches_.empty())
            return;
        const auto game = std::move(searches_.front());
        searches_.pop_front();
        const auto moves = core::legal_moves(game.position());
        demand(!moves.empty());
        engine::Info info;
        info.pv = {moves[choice % moves.size()], moves[0]};
        perform(session_.handle_response(info));
        engine::BestMove best;
        best.move = moves[choice % moves.size()];
        const auto replies = core::legal_moves(game.position().after(*best.move));
        if (!replies.empty())
            best.ponder = replies[choice % replies.size()];
        best.score = static_cast<int>(choice) - 20;
        expected_ = &game;
        perform(session_.handle_response(best));
        expected_ = nullptr;
    }

    void perform(Actions actions) {
        for (auto& action : actions) {
            if (const auto* line = std::get_if<std::string>(&action))
                check_line(*line);
            else if (const auto* command = std::get_if<engine::Command>(&action))
                post(*command);
            else
                ++syncs_;
        }
        demand(syncs_ <= 1);
    }
    void check_line(const std::string& line) {
        ++lines_;
        demand(!line.empty());
        demand(line.find('\n') == std::string::npos || line.find('\n') + 1 == line.size());
        pongs_ += line.starts_with("pong ") ? 1 : 0;
        if (line.starts_with("move "))
            demand(expected_
                   && static_cast<bool>(core::read_move(expected_->position(), line.substr(5))));
    }
    void post(const engine::Command& command) {
        if (const auto* game = std::get_if<engine::SetGameTo>(&command))
            game_ = game->game;
        if (const auto* go = std::get_if<engine::Go>(&command)) {
            for (const auto& move : go->limits.searchmoves)
                demand(static_cast<bool>(core::read_move(game_.position(), move)));
            searches_.push_back(game_);
        }
    }

    Session session_;
    core::Game game_;
    std::deque<core::Game> searches_;
    const core::Game* expected_ = nullptr;  ///< the game that the engine makes a move in
    int syncs_ = 0;
    int pings_ = 0;
    int pongs_ = 0;
    std::size_t lines_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input{data, data + size};
    Conversation conversation;
    std::string_view rest{input};
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        conversation.say(line);
    }
    conversation.end();
    return 0;
}
