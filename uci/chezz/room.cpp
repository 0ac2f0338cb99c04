#include "uci/chezz/room.hpp"

#include <algorithm>
#include <utility>

#include "core/movegen.hpp"

#include "uci/chezz/limits.hpp"
#include "uci/chezz/message.hpp"
#include "uci/chezz/record.hpp"

namespace uci::chezz {

namespace {

const Refusal store_fails{"STORE_UNAVAILABLE", "the store of games cannot be reached, try again"};
const Refusal not_found{"GAME_NOT_FOUND", "the game was not found or could not be recovered"};
const Refusal too_many_guests{"TOO_MANY_OBSERVERS", "too many watch this game"};
const Refusal too_many_messages{"TOO_MANY_MESSAGES", "too many messages wait for an answer"};
const Refusal too_many_changes{"GAME_CHANGING", "others change this game all the time, try again"};
const Refusal engine_is_busy{"ENGINE_BUSY", "too many games wait for the engine, try again"};

}  // namespace

void Room::enter(const std::shared_ptr<Guest>& guest) {
    add({guest, Entrance{}});
}

void Room::leave(const std::shared_ptr<Guest>& guest) {
    if (is_here(guest) && table_)
        host_.note_plies_seen(guest->user(), id_, table_->game.moves().size());
    std::erase(guests_, guest);
}

void Room::hear(const std::shared_ptr<Guest>& guest, const std::string& message) {
    const auto waiting = std::count_if(waiting_.begin(), waiting_.end(),
                                       [&](const Matter& matter) { return matter.guest == guest; });
    if (static_cast<std::size_t>(waiting) < Limits::waiting_messages)
        add({guest, Message{message.substr(0, Limits::meaningful)}});
    else
        guest->tell({error_message(too_many_messages)});
}

void Room::look() {
    const bool waits =
        std::any_of(waiting_.begin() + (busy_ ? 1 : 0), waiting_.end(),
                    [](const Matter& matter) { return std::holds_alternative<Look>(matter.what); });
    if (!waits)
        add({nullptr, Look{}});
}

void Room::dismiss_all() {
    for (const auto& guest : guests_)
        guest->dismiss();
}

void Room::close() {
    guests_.clear();
    waiting_.clear();
}

void Room::add(Matter matter) {
    waiting_.push_back(std::move(matter));
    go_on();
}

void Room::go_on() {
    while (!busy_ && !waiting_.empty()) {
        busy_ = true;
        begin();
    }
}

/// Who comes sees the game as it is stored now, whoever has changed it; a move is judged by what
/// is known here, since the store takes it only if that is still true.
void Room::begin() {
    const Matter& matter = waiting_.front();
    if (matter.guest && matter.guest->is_gone() && std::holds_alternative<Entrance>(matter.what))
        return done();
    const bool trusts_memory = std::holds_alternative<Message>(matter.what)
                            || std::holds_alternative<EngineMove>(matter.what);
    if (trusts_memory && record_ && table_)
        handle();
    else
        read();
}

void Room::read() {
    host_.find(id_, [self = shared_from_this()](const auto& found) {
        self->take(found);
        self->go_on();
    });
}

void Room::take(const core::Result<std::optional<std::string>>& found) {
    waiting_.front().is_up_to_date = true;
    if (!found) {
        record_.reset();
        return refuse(store_fails);
    }
    if (!*found) {
        record_.reset();
        return refuse(not_found);
    }
    if (!record_ || *record_ != **found) {
        const auto table = read_game_record(**found);
        if (!table) {
            record_.reset();
            return refuse(not_found);
        }
        learn(*table, **found);
    }
    handle();
}

void Room::handle() {
    const Matter& matter = waiting_.front();
    if (std::holds_alternative<Entrance>(matter.what))
        handle_entrance();
    else if (const auto* message = std::get_if<Message>(&matter.what))
        handle_message(message->text);
    else if (const auto* reply = std::get_if<EngineMove>(&matter.what))
        handle_engine_move(*reply);
    else
        done();
}

void Room::handle_entrance() {
    const auto guest = waiting_.front().guest;
    if (guest->is_gone())
        return done();
    Table after = *table_;
    if (take_seat(after, guest->user()))
        return change_to(after);
    if (!lets_in(*guest))
        return refuse(too_many_guests);
    finish();
}

void Room::handle_message(const std::string& text) {
    const auto guest = waiting_.front().guest;
    if (!is_here(guest) && !guest->is_gone())
        return done();
    const auto verdict = judge(*table_, host_.rules(), guest->user(), text);
    if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
        if (may_be_mistaken())
            return read();
        want_engine();
        return refuse(*refusal);
    }
    change_to(obeyed(*table_, verdict));
}

/// Whether a player may be refused only because another process has played without a word: others
/// than this program do not tell what they change.
bool Room::may_be_mistaken() const {
    const auto& matter = waiting_.front();
    return !matter.is_up_to_date
        && relation_of(*table_, matter.guest->user()) != Relation::observer;
}

void Room::handle_engine_move(const EngineMove& reply) {
    const auto& game = table_->game;
    if (game.moves().size() != reply.ply || !awaits_engine(*table_, host_.rules())
        || !is_legal(game.position(), reply.move))
        return done();
    change_to(obeyed(*table_, reply.move));
}

void Room::change_to(const Table& after) {
    auto record = game_record(after);
    host_.replace(id_, *record_, record, [self = shared_from_this(), after, record](auto replaced) {
        if (replaced && *replaced) {
            self->learn(after, record);
            self->finish();
        }
        else {
            self->change_failed(replaced);
        }
        self->go_on();
    });
}

void Room::change_failed(const core::Result<bool>& replaced) {
    if (!replaced) {
        // It may have been stored all the same: the next matter begins by reading.
        record_.reset();
        return refuse(store_fails);
    }
    if (++waiting_.front().conflicts > Limits::conflicts)
        return refuse(too_many_changes);
    read();
}

/// What was asked for is done, and stored where there was something to store.
void Room::finish() {
    const auto& matter = waiting_.front();
    if (std::holds_alternative<Entrance>(matter.what) && !matter.guest->is_gone())
        welcome(matter.guest);
    want_engine();
    done();
}

void Room::refuse(const Refusal& refusal) {
    const auto& matter = waiting_.front();
    const auto message = error_message(refusal);
    if (matter.guest)
        matter.guest->tell({message});
    else if (std::holds_alternative<EngineMove>(matter.what))
        tell_all({message});
    if (std::holds_alternative<Entrance>(matter.what))
        matter.guest->dismiss();
    done();
}

void Room::done() {
    waiting_.pop_front();
    busy_ = false;
}

bool Room::lets_in(const Guest& guest) const {
    if (relation_of(*table_, guest.user()) != Relation::observer)
        return true;
    const auto observers = std::count_if(guests_.begin(), guests_.end(), [&](const auto& other) {
        return relation_of(*table_, other->user()) == Relation::observer;
    });
    return static_cast<std::size_t>(observers) < Limits::observers;
}

/// Whoever comes again and again leaves for it where they came first.
void Room::make_room_for(const Guest& guest) {
    const auto is_same = [&](const auto& other) { return other->user() == guest.user(); };
    const auto places = std::count_if(guests_.begin(), guests_.end(), is_same);
    if (static_cast<std::size_t>(places) < Limits::places_of_user)
        return;
    const auto oldest = std::find_if(guests_.begin(), guests_.end(), is_same);
    (*oldest)->dismiss();
    guests_.erase(oldest);
}

void Room::welcome(const std::shared_ptr<Guest>& guest) {
    make_room_for(*guest);
    guests_.push_back(guest);
    const auto seen = host_.plies_seen(guest->user(), id_);
    guest->tell(welcome_messages(*table_, host_.rules(), guest->user(), seen));
}

/// The game is now this one, and stored so: everyone is told what is new.
void Room::learn(const Table& table, std::string record) {
    record_ = std::move(record);
    const auto before = std::exchange(table_, table);
    if (before)
        tell_all(news(*before, table, host_.rules()));
}

void Room::want_engine() {
    if (thinking_ || !awaits_engine(*table_, host_.rules()))
        return;
    const auto ply = table_->game.moves().size();
    // The room stays until the engine has moved, whoever leaves meanwhile.
    thinking_ = host_.think(*table_, [self = shared_from_this(), ply](auto move) {
        self->thinking_ = false;
        if (move)
            self->add({nullptr, EngineMove{*move, ply}});
    });
    if (!thinking_)
        tell_all({error_message(engine_is_busy)});
}

void Room::tell_all(const std::vector<std::string>& messages) {
    for (const auto& guest : guests_)
        guest->tell(messages);
}

bool Room::is_here(const std::shared_ptr<Guest>& guest) const {
    return std::find(guests_.begin(), guests_.end(), guest) != guests_.end();
}

}  // namespace uci::chezz
