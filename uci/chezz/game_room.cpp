#include "uci/chezz/game_room.hpp"

#include <algorithm>
#include <utility>

#include "core/movegen.hpp"

#include "uci/chezz/limits.hpp"
#include "uci/chezz/messages.hpp"
#include "uci/chezz/record.hpp"

namespace uci::chezz {

namespace {

const Rejection store_unavailable{"STORE_UNAVAILABLE",
                                  "the store of games cannot be reached, try again"};
const Rejection not_found{"GAME_NOT_FOUND", "the game was not found or could not be recovered"};
const Rejection too_many_observers{"TOO_MANY_OBSERVERS", "too many watch this game"};
const Rejection too_many_messages{"TOO_MANY_MESSAGES", "too many messages wait for an answer"};
const Rejection too_many_changes{"GAME_CHANGING",
                                 "others change this game all the time, try again"};
const Rejection engine_is_busy{"ENGINE_BUSY", "too many games wait for the engine, try again"};

}  // namespace

void GameRoom::join(const std::shared_ptr<Client>& client) {
    enqueue({client, Join{}});
}

void GameRoom::leave(const std::shared_ptr<Client>& client) {
    if (has_joined(client) && state_)
        services_.set_plies_seen(client->user(), id_, state_->game.moves().size());
    std::erase(clients_, client);
}

void GameRoom::receive(const std::shared_ptr<Client>& client, const std::string& message) {
    const auto queued = std::count_if(queue_.begin(), queue_.end(), [&](const QueuedEvent& event) {
        return event.client == client;
    });
    if (static_cast<std::size_t>(queued) < Limits::max_queued_messages)
        enqueue({client, Message{message.substr(0, Limits::max_command_bytes)}});
    else
        client->send({error_message(too_many_messages)});
}

void GameRoom::refresh() {
    const bool is_queued = std::any_of(
        queue_.begin() + (busy_ ? 1 : 0), queue_.end(),
        [](const QueuedEvent& event) { return std::holds_alternative<Refresh>(event.event); });
    if (!is_queued)
        enqueue({nullptr, Refresh{}});
}

void GameRoom::disconnect_all() {
    for (const auto& client : clients_)
        client->disconnect();
}

void GameRoom::close() {
    clients_.clear();
    queue_.clear();
}

void GameRoom::enqueue(QueuedEvent event) {
    event.deadline = services_.store_deadline();
    queue_.push_back(std::move(event));
    handle_queue();
}

void GameRoom::handle_queue() {
    while (!busy_ && !queue_.empty()) {
        busy_ = true;
        handle_next();
    }
}

// A client who joins gets the game as it is stored now, whoever has changed it. Moves are validated
// against the state in memory: the store accepts them only if that is still its record.
void GameRoom::handle_next() {
    const QueuedEvent& event = queue_.front();
    if (event.client)
        client_key_ = event.client->client_key();
    if (event.client && event.client->has_left() && std::holds_alternative<Join>(event.event))
        return drop_event();
    if (std::holds_alternative<Join>(event.event) && is_one_too_many(*event.client))
        return reject(too_many_observers);
    const bool trusts_memory = std::holds_alternative<Message>(event.event)
                            || std::holds_alternative<EngineMove>(event.event);
    if (trusts_memory && record_ && state_)
        handle_event();
    else
        read_game();
}

void GameRoom::read_game() {
    services_.find_game(id_, record_, queue_.front().deadline,
                        [self = shared_from_this()](const auto& found) {
                            self->on_game(found);
                            self->handle_queue();
                        });
}

void GameRoom::on_game(const core::Result<std::optional<StoredGame>>& found) {
    queue_.front().is_up_to_date = true;
    if (!found || !*found) {
        record_.reset();
        return found ? reject(not_found) : handle_store_failure();
    }
    const StoredGame& game = **found;
    if (game.state)
        set_state(*game.state, game.record);
    handle_event();
}

void GameRoom::handle_event() {
    const QueuedEvent& event = queue_.front();
    if (std::holds_alternative<Join>(event.event))
        handle_join();
    else if (const auto* message = std::get_if<Message>(&event.event))
        handle_message(message->text);
    else if (const auto* reply = std::get_if<EngineMove>(&event.event))
        handle_engine_move(*reply);
    else
        drop_event();
}

void GameRoom::handle_join() {
    const auto client = queue_.front().client;
    if (client->has_left())
        return drop_event();
    GameState after = *state_;
    if (take_free_seat(after, client->user()))
        return store_state(after);
    if (!has_space_for(*client))
        return reject(too_many_observers);
    finish();
}

void GameRoom::handle_message(const std::string& text) {
    const auto client = queue_.front().client;
    if (!has_joined(client) && !client->has_left())
        return drop_event();
    const auto action = validate(*state_, services_.rules(), client->user(), text);
    if (const auto* rejection = std::get_if<Rejection>(&action)) {
        if (may_be_outdated())
            return read_game();
        request_engine_move();
        return reject(*rejection);
    }
    store_state(apply_action(*state_, std::get<Action>(action)));
}

// Whether a player's message may be illegal only because the state in memory is old: chezz-back
// does not publish its changes.
bool GameRoom::may_be_outdated() const {
    const auto& event = queue_.front();
    return !event.is_up_to_date && relation_of(*state_, event.client->user()) != Relation::observer;
}

void GameRoom::handle_engine_move(const EngineMove& reply) {
    const auto& game = state_->game;
    if (game.moves().size() != reply.ply || !awaits_engine(*state_, services_.rules())
        || !is_legal(game.position(), reply.move))
        return drop_event();
    store_state(apply_action(*state_, reply.move));
}

void GameRoom::store_state(const GameState& after) {
    auto record = game_record(after);
    services_.replace_record(id_, *record_, record, queue_.front().deadline,
                             [self = shared_from_this(), after, record](auto replaced) {
                                 if (replaced && *replaced) {
                                     self->note_end(after);
                                     self->set_state(after, record);
                                     self->finish();
                                 }
                                 else {
                                     self->handle_conflict(replaced);
                                 }
                                 self->handle_queue();
                             });
}

/// To be called before a stored state becomes the present one.
void GameRoom::note_end(const GameState& after) {
    const auto ending = ending_of(after, services_.rules());
    if (ending && !(state_ && ending_of(*state_, services_.rules())))
        services_.note_end(after, ending->reason);
}

void GameRoom::handle_conflict(const core::Result<bool>& replaced) {
    if (!replaced) {
        // The record may have been stored all the same, so the next event begins by reading it.
        record_.reset();
        return handle_store_failure();
    }
    if (++queue_.front().conflicts > Limits::max_conflicts)
        return reject(too_many_changes);
    read_game();
}

/// Completes an event after its change, if any, was stored.
void GameRoom::finish() {
    const auto& event = queue_.front();
    if (std::holds_alternative<Join>(event.event) && !event.client->has_left())
        send_join_messages(event.client);
    request_engine_move();
    drop_event();
}

void GameRoom::reject(const Rejection& rejection) {
    const auto& event = queue_.front();
    const auto message = error_message(rejection);
    if (event.client)
        event.client->send({message});
    else if (std::holds_alternative<EngineMove>(event.event))
        send_to_all({message});
    if (std::holds_alternative<Join>(event.event))
        event.client->disconnect();
    drop_event();
}

/// Nobody sends again what the server itself does with a game, so that is tried until the store
/// works or all clients have left.
void GameRoom::handle_store_failure() {
    QueuedEvent event = queue_.front();
    auto* const reply = std::get_if<EngineMove>(&event.event);
    const bool is_known = reply && reply->is_retry;
    if (!event.client) {
        if (reply)
            reply->is_retry = true;
        services_.when_store_may_work([weak = weak_from_this(), event] {
            const auto self = weak.lock();
            if (self && std::holds_alternative<Refresh>(event.event))
                self->refresh();
            else if (self)
                self->enqueue(event);
        });
    }
    if (is_known)
        return drop_event();
    reject(store_unavailable);
}

void GameRoom::drop_event() {
    queue_.pop_front();
    busy_ = false;
}

bool GameRoom::has_space_for(const Client& client) const {
    if (relation_of(*state_, client.user()) != Relation::observer)
        return true;
    const auto observers = std::count_if(clients_.begin(), clients_.end(), [&](const auto& other) {
        return relation_of(*state_, other->user()) == Relation::observer;
    });
    return static_cast<std::size_t>(observers) < Limits::max_observers;
}

/// Whether a client who joins could only watch, and enough do. Such clients must not delay moves by
/// what the store reads for them; seats that are taken stay taken, whatever else is outdated here.
bool GameRoom::is_one_too_many(const Client& client) const {
    return state_ && !has_free_seat(*state_) && !has_space_for(client);
}

/// Disconnects the oldest of a user's connections if there are as many as allowed.
void GameRoom::evict_oldest_of(UserId user) {
    const auto is_same = [&](const auto& client) { return client->user() == user; };
    const auto connections = std::count_if(clients_.begin(), clients_.end(), is_same);
    if (static_cast<std::size_t>(connections) < Limits::max_connections_of_user)
        return;
    const auto oldest = std::find_if(clients_.begin(), clients_.end(), is_same);
    (*oldest)->disconnect();
    clients_.erase(oldest);
}

void GameRoom::send_join_messages(const std::shared_ptr<Client>& client) {
    evict_oldest_of(client->user());
    clients_.push_back(client);
    const auto seen = services_.plies_seen(client->user(), id_);
    client->send(join_messages(*state_, services_.rules(), client->user(), seen));
}

/// Makes a stored state the present one and sends everyone what has changed.
void GameRoom::set_state(const GameState& state, std::string record) {
    record_ = std::move(record);
    const auto before = std::exchange(state_, state);
    if (before)
        send_to_all(updates_since(*before, state, services_.rules()));
}

void GameRoom::request_engine_move() {
    if (thinking_ || !awaits_engine(*state_, services_.rules()))
        return;
    const auto ply = state_->game.moves().size();
    // The callback keeps the room alive until the engine has moved, even if all clients leave.
    thinking_ =
        services_.request_move(*state_, client_key_, [self = shared_from_this(), ply](auto move) {
            self->thinking_ = false;
            if (move)
                self->enqueue({nullptr, EngineMove{*move, ply}});
        });
    if (thinking_)
        return;
    send_to_all({error_message(engine_is_busy)});
    if (std::exchange(awaits_queue_, true))
        return;
    services_.when_queue_not_full(client_key_, [self = shared_from_this()] {
        self->awaits_queue_ = false;
        if (self->state_)
            self->request_engine_move();
    });
}

void GameRoom::send_to_all(const std::vector<std::string>& messages) {
    for (const auto& client : clients_)
        client->send(messages);
}

bool GameRoom::has_joined(const std::shared_ptr<Client>& client) const {
    return std::find(clients_.begin(), clients_.end(), client) != clients_.end();
}

}  // namespace uci::chezz
