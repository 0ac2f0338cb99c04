#include <algorithm>
#include <utility>

#include "uci/json/web/game_room.hpp"
#include "uci/json/web/limits.hpp"

// How a room is stored and restored, and what waits for that.
namespace uci::json::web {

namespace {

/// Whether two sessions have the same moves, and both or none of them are over.
bool is_same_stage(const Session& one, const Session& other) {
    // Not std::ranges::equal(), which Emscripten's library lacks.
    const auto keys = one.game().keys();
    const auto others = other.game().keys();
    return one.is_over() == other.is_over() && one.games_before() == other.games_before()
        && std::equal(keys.begin(), keys.end(), others.begin(), others.end());
}

/// The legal moves, and the end of the game if it is over.
Answer moveset_of(Session session) {
    if (session.is_thinking())
        session.finish(engine::BestMove{});
    return std::get<Answer>(session.handle_request(GetLegalMoveset{}));
}

}  // namespace

void GameRoom::restore(const RoomRecord& record, std::string text, std::string state_text) {
    const auto now = std::chrono::steady_clock::now();
    set_state(state_of(record));
    created_ = record.created;
    changed_ = record.changed;
    const auto idle_time = std::max(wall_time() - record.active, std::chrono::milliseconds{0});
    last_activity_ = last_saved_ = now - idle_time;
    has_granted_request_ = true;
    logged_game_ = session_.games_before();
    logged_end_ = session_.is_over();
    stored_record_ = std::move(text);
    revision_ = record.revision;
    stored_state_ = std::move(state_text);
    set_alarm();
    report_lack();
}

/// The state that a record describes; with the offers of this room, which are not stored.
GameRoom::RoomState GameRoom::state_of(const RoomRecord& record) const {
    auto stored = record.session;
    const auto time = services_.store ? services_.store->shared_time() : std::nullopt;
    if (stored.clock && record.time && time)
        stored.clock->used += std::max(*time - *record.time, engine::Milliseconds{0});
    RoomState state{session_,        PlayerKeys{record.seats, record.names}, {}, {}, offers_,
                    record.rematches};
    state.session.restore(stored);
    if (state.session.is_thinking()) {
        state.search = record.search;
        state.searcher = record.searcher;
    }
    return state;
}

void GameRoom::refresh(const RoomRecord& record, std::string text) {
    if (is_closed_ || is_saving_ || text == stored_record_)
        return;
    RoomState after = state_of(record);
    stored_record_ = std::move(text);
    revision_ = record.revision;
    is_uncertain_ = false;
    last_saved_ = std::chrono::steady_clock::now();
    const auto idle_time = std::max(wall_time() - record.active, std::chrono::milliseconds{0});
    last_activity_ = std::max(last_activity_, last_saved_ - idle_time);
    auto state_text = record_of(after);
    if (state_text == stored_state_ && after.session.is_thinking() == session_.is_thinking())
        return;
    const bool has_moved = !is_same_stage(after.session, session_);
    const bool searches_on = search_ && !has_moved && after.search && after.searcher == own_name();
    const auto refuse = searches_on ? [](const Answer&) {} : cancel_search();
    set_state(std::move(after));
    stored_state_ = std::move(state_text);
    changed_ = record.changed;
    has_granted_request_ = true;
    log_progress();
    refuse(rejection());
    if (has_moved)
        send_to_others(moveset_of(session_), no_participant);
    report_lack();
    follow_change();
    go_on();
}

void GameRoom::repair(const std::optional<std::string>& stored) {
    if (is_closed_ || is_saving_ || !stored_record_)
        return;
    stored_record_ = stored ? stored : stored_record_;
    save(record_of(state(), changed_), [](bool) {});
}

/// The search for a move has ended, and the move cannot be stored.
void GameRoom::refuse_search() {
    if (!lacks_search())
        return;
    session_.finish(engine::BestMove{});
    searched_.reset();
    searcher_.clear();
}

/// Has the search of a room that lacks it taken over when its server has ended.
void GameRoom::report_lack() {
    if (!lacks_search())
        return;
    searched_since_ = std::chrono::steady_clock::now();
    if (services_.on_lacking_search)
        services_.on_lacking_search(id_);
}

void GameRoom::take_over_search() {
    if (is_closed_ || is_saving_ || !lacks_search() || check_flag()
        || queue_.is_full(server::Priority::player, {}))
        return;
    RoomState after = state();
    after.searcher = own_name();
    commit(
        std::move(after), [](const Answer&) {}, [this] { search_here(); });
}

/// Starts the search that this room lacks. While too many searches wait it lacks it still.
void GameRoom::search_here() {
    if (queue_.is_full(server::Priority::player, {})) {
        report_lack();
        return;
    }
    if (const auto& clock = session_.clock()) {
        searched_->arrival = std::chrono::steady_clock::now();
        searched_->clocks = clock->limits(searched_->arrival);
    }
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
    searcher_ = std::move(state.searcher);
    offers_ = state.offers;
    rematches_ = state.rematches;
}

/// Makes a change and goes on with `then`, once the change is stored. If that fails nothing
/// changes, and `reply` gets a failure; a search has then ended without a move.
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
                                  ++self->revision_;
                                  self->last_saved_ = std::chrono::steady_clock::now();
                              }
                              then(is_saved && !self->is_closed_);
                              if (saved && !is_saved && self->services_.on_outdated)
                                  self->services_.on_outdated(self->id_);
                              self->set_alarm();  // it may have gone off meanwhile
                              self->go_on();
                          });
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
    record.searcher = state.searcher;
    record.seats = state.player_keys.keys();
    record.names = state.player_keys.names();
    record.rematches = state.rematches;
    if (!changed)
        return write_room_state(std::move(record));
    record.created = created_;
    record.changed = *changed;
    record.active = wall_time();
    record.revision = revision_ + 1;
    record.server = services_.store->server();
    record.time = services_.store->shared_time();
    return write_room_record(record);
}

/// Handles what has waited for the store or for a search, until something has to wait again. What
/// ends at once returns to this loop and does not begin another one, which would take a stack frame
/// for each request.
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
