#include <algorithm>
#include <utility>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"

// How a room is stored and restored, and what waits for that.
namespace uci::json::web {

void GameRoom::restore(const RoomRecord& record, std::string text) {
    const auto now = std::chrono::steady_clock::now();
    session_.restore(record.session);
    player_keys_ = PlayerKeys{record.seats};
    rematches_ = record.rematches;
    created_ = record.created;
    changed_ = record.changed;
    const auto idle_time = std::max(wall_time() - record.active, std::chrono::milliseconds{0});
    last_activity_ = last_saved_ = now - idle_time;
    has_granted_request_ = true;
    logged_game_ = session_.games_before();
    logged_end_ = session_.is_over();
    if (session_.is_thinking())
        searched_ = record.search;
    if (searched_ && session_.clock()) {
        searched_->arrival = now;
        searched_->clocks = session_.clock()->limits(now);
    }
    stored_record_ = std::move(text);
    stored_state_ = record_of(state());
    set_alarm();
    if (searched_)
        start_search(*searched_, {{}, EngineMove{*searched_, {}}, [](const Answer&) {}});
}

bool GameRoom::may_wait_for_store(const Sender& sender, const std::string& message) const {
    std::size_t messages = 1;
    std::size_t bytes = message.size();
    for (const auto& waiting : waiting_) {
        if (waiting.sender.participant != sender.participant)
            continue;
        ++messages;
        bytes += waiting.message.size();
    }
    return messages <= max_waiting_messages && bytes <= max_waiting_bytes;
}

void GameRoom::set_state(RoomState state) {
    session_ = std::move(state.session);
    player_keys_ = std::move(state.player_keys);
    searched_ = std::move(state.search);
    offers_ = state.offers;
    rematches_ = state.rematches;
}

/// Makes a change and goes on with `then`, once the change is stored. If that fails nothing changes, and
/// `reply` gets a failure; a search has then ended without a move.
void GameRoom::commit(RoomState after, const Reply& reply, std::function<void()> then) {
    auto text = services_.store ? record_of(after) : std::string{};
    if (text == stored_state_) {
        set_state(std::move(after));
        then();
        return;
    }
    const auto changed = wall_time();
    auto record = record_of(after, changed);
    save(std::move(record), [this, after = std::move(after), text = std::move(text), changed, reply,
                             then = std::move(then)](bool is_saved) {
        if (is_saved) {
            set_state(after);
            stored_state_ = text;
            changed_ = changed;
            then();
            return;
        }
        if (session_.is_thinking() && !search_ && !found_) {
            session_.finish(engine::BestMove{});
            searched_.reset();
        }
        reply(unavailable_answer());
        notify_followers();
    });
}

/// Stores a record and tells `then` whether that has succeeded, which may use this room.
void GameRoom::save(std::string record, std::function<void(bool)> then) {
    is_saving_ = true;
    RoomSave order{id_, stored_record_, record, is_uncertain_};
    services_.store->save(std::move(order),
                          [self = shared_from_this(), record = std::move(record),
                           then = std::move(then)](const core::Result<bool>& saved) {
                              const bool is_saved = saved && *saved;
                              self->is_saving_ = false;
                              self->is_uncertain_ = !saved;
                              if (is_saved) {
                                  self->stored_record_ = record;
                                  self->last_saved_ = std::chrono::steady_clock::now();
                              }
                              then(is_saved && !self->is_closed_);
                              if (saved && !is_saved)
                                  self->lose_room();
                              self->set_alarm();  // it may have gone off meanwhile
                              self->go_on();
                          });
}

/// Another process goes on with this game.
void GameRoom::lose_room() {
    close();
    if (services_.on_outdated)
        services_.on_outdated(id_);
}

bool GameRoom::renew(Time now) {
    const bool is_used = !participants_.empty() || last_activity_ > last_saved_;
    if (!stored_record_ || is_saving_ || !is_used || now - last_saved_ < renewal_interval)
        return false;
    save(record_of(state(), changed_), [](bool) {});
    return true;
}

std::string GameRoom::record_of(const RoomState& state, std::optional<WallTime> changed) const {
    RoomRecord record;
    record.session = state.session.state();
    record.search = state.search;
    record.seats = state.player_keys.keys();
    record.rematches = state.rematches;
    // Time that passes changes no game.
    if (!changed && record.session.clock)
        record.session.clock->used = engine::Milliseconds{0};
    if (changed) {
        record.created = created_;
        record.changed = *changed;
        record.active = wall_time();
        record.server = services_.store->server();
    }
    return write_room_record(record);
}

/// Handles what has waited for the store or for a search, until something has to wait again. What ends at
/// once returns to this loop and does not begin another one, which would take a stack frame for each
/// request.
void GameRoom::go_on() {
    if (std::exchange(is_going_on_, true))
        return;
    while (!is_saving_ && handle_next()) {
    }
    is_going_on_ = false;
}

/// False: nothing waits that can be handled now.
bool GameRoom::handle_next() {
    const bool is_waiting = found_ || !pending_.empty() || !waiting_.empty();
    if (is_waiting && check_flag())
        return true;
    if (const auto found = std::exchange(found_, std::nullopt)) {
        play_found(*found);
        return true;
    }
    if (!pending_.empty() && !session_.is_thinking()) {
        const auto next = std::move(pending_.front());
        pending_.pop_front();
        handle_request(next);
        return true;
    }
    if (waiting_.empty())
        return false;
    auto next = std::move(waiting_.front());
    waiting_.pop_front();
    handle_now(next.sender, next.message, std::move(next.reply));
    return true;
}

}  // namespace uci::json::web
