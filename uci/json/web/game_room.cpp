#include "uci/json/web/game_room.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "uci/json/web/limits.hpp"
#include "uci/json/web/room_messages.hpp"

namespace uci::json::web {

namespace {

Answer to_sender(std::string message) {
    return {{std::move(message)}, Audience::sender};
}

std::optional<TimeControl> control_of(const Session& session) {
    return session.clock() ? std::optional{session.clock()->control()} : std::nullopt;
}

/// As PGN has it.
std::string result_of(const std::optional<Ending>& ending) {
    if (!ending)
        return "*";
    if (!ending->victor)
        return "1/2-1/2";
    return *ending->victor == core::Color::white ? "1-0" : "0-1";
}

}  // namespace

Answer unavailable_answer() {
    return {{failure("the game cannot be stored or read now, please retry")},
            Audience::rejected_sender_only,
            true};
}

bool GameRoom::is_full() const {
    return is_closed_ || participants_.size() >= max_participants;
}

std::size_t GameRoom::join(Send send) {
    last_activity_ = std::chrono::steady_clock::now();
    if (is_full())
        return no_participant;
    participants_[++last_participant_].send = std::move(send);
    notify_followers();
    return last_participant_;
}

void GameRoom::leave(std::size_t participant) {
    last_activity_ = std::chrono::steady_clock::now();
    participants_.erase(participant);
    std::erase_if(waiting_, [&](const WaitingMessage& message) {
        return message.sender.participant == participant;
    });
    cancel_requests_of({participant});
    notify_followers();
    update_analysis();
}

void GameRoom::handle_message(const Sender& sender, const std::string& message, Reply reply) {
    last_activity_ = std::chrono::steady_clock::now();
    check_flag();
    if (is_closed_ || (is_saving_ && !may_wait_for_store(sender, message)))
        reply(rejection());
    else if (is_saving_)
        waiting_.push_back({sender, message, std::move(reply)});
    else
        handle_now(sender, message, std::move(reply));
}

void GameRoom::handle_now(const Sender& sender, const std::string& message, Reply reply) {
    const auto participant = sender.participant;
    if (auto request = read_request(message)) {
        PendingRequest pending{sender, std::move(*request), std::move(reply)};
        if (!session_.is_thinking())
            handle_request(pending);
        else if (std::holds_alternative<Resignation>(pending.request))
            resign_during_search(pending);
        else if (may_wait(pending))
            pending_.push_back(std::move(pending));
        else
            pending.reply(rejection());
        return;
    }
    const auto request = read_room_request(message);
    if (!request || participant == no_participant) {
        reply(rejection());
        return;
    }
    if (std::holds_alternative<TakeSeat>(*request) || std::holds_alternative<LeaveSeat>(*request)) {
        change_seats(sender, *request, reply);
        return;
    }
    std::visit(
        [&](const auto& known) {
            if constexpr (requires(RoomState after) { answer_offer(sender, known, after); })
                handle_offer(sender, known, reply);
            else if constexpr (requires { handle(sender, known); })
                answer_at_once(handle(sender, known), reply);
        },
        *request);
}

/// Makes, accepts or declines an offer.
template <typename Offer>
void GameRoom::handle_offer(const Sender& sender, const Offer& request, const Reply& reply) {
    RoomState after = state();
    const auto answer = answer_offer(sender, request, after);
    if (answer.audience == Audience::rejected_sender_only) {
        reply(answer);
        return;
    }
    commit(std::move(after), reply,
           [this, answer, sender, reply] { deliver(answer, sender, reply); });
}

/// Answers a request that changes nothing that is stored.
void GameRoom::answer_at_once(const Answer& answer, const Reply& reply) {
    if (answer.audience != Audience::rejected_sender_only)
        has_granted_request_ = true;
    reply(answer);
    notify_followers();
}

/// Pending requests are limited for each client, so that one client cannot use up the queue.
bool GameRoom::may_wait(const PendingRequest& request) const {
    // It may be large.
    if (std::holds_alternative<LoadPgn>(request.request))
        return false;
    const auto waiting = std::count_if(pending_.begin(), pending_.end(), [&](const auto& pending) {
        return pending.sender.participant == request.sender.participant;
    });
    return static_cast<std::size_t>(waiting) < max_pending_requests;
}

void GameRoom::handle_request(const PendingRequest& pending) {
    const GameStage stage{session_.game().position().side_to_move(), session_.is_over()};
    if (!player_keys_.allow(pending.request, stage, keys_of(pending.sender.participant))) {
        pending.reply(rejection());
        return;
    }
    if (const auto* hint = std::get_if<Hint>(&pending.request)) {
        start_hint(hint->limits, pending);
        return;
    }
    if (const auto* explain = std::get_if<Explain>(&pending.request)) {
        start_explanation(*explain, pending);
        return;
    }
    RoomState after = state();
    const auto result = after.session.handle_request(pending.request);
    if (const auto* limits = std::get_if<engine::Limits>(&result)) {
        if (queue_.is_full(server::Priority::player, pending.sender.client)) {
            deliver(rejection(), pending.sender, pending.reply);
            return;
        }
        after.search = *limits;
        after.searcher = own_name();
        commit(std::move(after), pending.reply,
               [this, limits = *limits, pending] { start_search(limits, pending); });
        return;
    }
    auto answer = *std::get_if<Answer>(&result);
    if (std::holds_alternative<GetLegalMoveset>(pending.request))
        answer.audience = Audience::sender;  // it is nothing new to the others
    commit(std::move(after), pending.reply, [this, answer = std::move(answer), pending] {
        deliver(answer, pending.sender, pending.reply);
    });
}

/// Who resigns does not wait for the engine's move, and the engine does not search it any longer.
void GameRoom::resign_during_search(const PendingRequest& pending) {
    const GameStage stage{session_.game().position().side_to_move(), session_.is_over()};
    if (!player_keys_.allow(pending.request, stage, keys_of(pending.sender.participant))) {
        pending.reply(rejection());
        return;
    }
    RoomState after = state();
    after.session.finish(engine::BestMove{});
    after.search.reset();
    const auto result = after.session.handle_request(pending.request);
    commit(std::move(after), pending.reply,
           [this, answer = *std::get_if<Answer>(&result), pending] {
               cancel_search()(rejection());
               deliver(answer, pending.sender, pending.reply);
           });
    go_on();
}

void GameRoom::start_search(engine::Limits limits, const PendingRequest& pending) {
    const auto done = [room = weak_from_this(), pending](const server::SearchResult& result) {
        if (const auto self = room.lock())
            self->finish_search(result.best, pending);
    };
    cancel_hints(true);
    const auto job = queue_.submit(job_for(std::move(limits), pending.sender), done);
    if (!job) {
        play_found({{}, pending});
        go_on();
        return;
    }
    search_ = RunningSearch{pending, *job};
    notify_followers();
}

server::SearchJob GameRoom::job_for(engine::Limits limits, const Sender& sender) const {
    server::SearchJob job;
    job.game = session_.game();
    job.game_id = id_;
    // The number of the game makes a limited-strength player err differently in each.
    if (limits.elo)
        job.game_id += ' ' + std::to_string(session_.games_before());
    job.limits = std::move(limits);
    job.client = sender.client;
    return job;
}

GameRoom::SearchedPosition GameRoom::current_position() const {
    return {session_.game().keys().back(), session_.game().moves().size()};
}

void GameRoom::start_hint(engine::Limits limits, const PendingRequest& pending) {
    if (!session_.is_playing()) {
        pending.reply(rejection());
        return;
    }
    const auto answer_of = [position =
                                session_.game().position()](const server::SearchResult& result) {
        return hint_answer(position, result.best);
    };
    auto job = job_for(std::move(limits), pending.sender);
    job.is_hint = true;
    submit_hint(std::move(job), pending, answer_of);
}

/// An explanation waits until no player waits for a move.
void GameRoom::start_explanation(const Explain& request, const PendingRequest& pending) {
    const bool may = session_.is_over() ? request.ply.has_value() : session_.is_playing();
    const auto task = may ? explanation_task(session_.game(), request) : std::nullopt;
    if (!task) {
        pending.reply(rejection());
        return;
    }
    engine::Limits limits;
    limits.movetime = max_explanation_time;
    auto job = job_for(std::move(limits), pending.sender);
    job.game = task->game;
    job.kind = server::JobKind::explanation;
    job.priority = server::Priority::analysis;
    job.move = task->move;
    submit_hint(std::move(job), pending, [task = *task](const server::SearchResult& result) {
        return explanation_answer(task, result.explanation);
    });
}

void GameRoom::submit_hint(server::SearchJob job,
                           const PendingRequest& pending,
                           AnswerOf answer_of) {
    const auto same = std::count_if(hints_.begin(), hints_.end(), [&](const auto& item) {
        return item.second.pending.sender.participant == pending.sender.participant;
    });
    const auto number = ++last_hint_;
    const auto done = [room = weak_from_this(), number](const server::SearchResult& result) {
        if (const auto self = room.lock())
            self->finish_hint(number, result);
    };
    std::optional<server::SearchQueue::JobId> submitted;
    if (static_cast<std::size_t>(same) < max_hints)
        submitted = queue_.submit(std::move(job), done);
    if (!submitted) {
        pending.reply(rejection());
        return;
    }
    hints_.insert(
        {number,
         {pending, std::move(answer_of), current_position(), session_.is_over(), *submitted}});
}

void GameRoom::finish_hint(std::uint64_t number, const server::SearchResult& result) {
    last_activity_ = std::chrono::steady_clock::now();
    const auto hint = hints_.extract(number);
    if (hint.empty())
        return;
    const auto& pending = hint.mapped().pending;
    deliver(hint.mapped().answer_of(result), pending.sender, pending.reply);
}

/// Gives up the hints for other positions than the present one, or all of them.
void GameRoom::cancel_hints(bool all) {
    for (auto hint = hints_.begin(); hint != hints_.end();) {
        const bool goes_on = session_.is_playing() || hint->second.is_over;
        if (!all && goes_on && hint->second.position == current_position()) {
            ++hint;
            continue;
        }
        cancel(hint++);
    }
}

void GameRoom::cancel(std::map<std::uint64_t, RunningHint>::iterator hint) {
    const auto cancelled = std::move(hint->second);
    hints_.erase(hint);
    queue_.cancel(cancelled.job);
    cancelled.pending.reply(rejection());
}

/// One that reconnects is a new client, and would have the places of all its connections.
void GameRoom::cancel_requests_of(const Sender& sender) {
    const auto is_own = [&](const PendingRequest& pending) {
        return pending.sender.participant == sender.participant
            && pending.sender.http_request == sender.http_request;
    };
    const auto others =
        std::stable_partition(pending_.begin(), pending_.end(), std::not_fn(is_own));
    const std::vector<PendingRequest> cancelled{others, pending_.end()};
    pending_.erase(others, pending_.end());
    // A participant's connection is gone; that of an HTTP request may still take an answer.
    if (sender.participant == no_participant) {
        for (const auto& pending : cancelled)
            pending.reply(rejection());
    }
    for (auto hint = hints_.begin(); hint != hints_.end();) {
        const auto current = hint++;
        if (is_own(current->second.pending))
            cancel(current);
    }
}

void GameRoom::finish_search(const engine::BestMove& best, const PendingRequest& pending) {
    last_activity_ = std::chrono::steady_clock::now();
    if (check_flag())
        return;  // the move comes too late
    search_.reset();
    if (is_saving_) {
        found_ = FoundMove{best, pending};
        return;
    }
    play_found({best, pending});
    go_on();
}

/// Makes the move that a search has found.
void GameRoom::play_found(const FoundMove& found) {
    const auto player = session_.game().position().side_to_move();
    RoomState after = state();
    const auto answer = after.session.finish(found.best);
    after.search.reset();
    const Reply refuse = [this, reply = found.pending.reply](const Answer& refusal) {
        refuse_search();
        reply(refusal);
    };
    commit(std::move(after), refuse, [this, answer, player, found] {
        if (answer.audience == Audience::everyone)
            engine_score_ = EngineScore{found.best.score, current_position(), player};
        deliver(answer, found.pending.sender, found.pending.reply);
    });
}

/// Sends an answer to its audience.
void GameRoom::deliver(const Answer& answer, const Sender& sender, const Reply& reply) {
    if (answer.audience != Audience::rejected_sender_only) {
        has_granted_request_ = true;
        log_progress();
    }
    reply(answer);
    if (answer.audience == Audience::everyone)
        send_to_others(answer, sender.participant);
    follow_change();
}

void GameRoom::send_to_others(const Answer& answer, std::size_t sender) {
    for (const auto& [number, participant] : participants_) {
        if (number == sender)
            continue;
        for (const auto& message : answer.messages)
            participant.send(message);
    }
}

/// Does what may be due after a change of the game.
void GameRoom::follow_change() {
    cancel_hints(false);
    remove_old_review();
    offers_.follow(session_);
    set_alarm();
    notify_followers();
    update_analysis();
}

/// Ends the game if the time of the player to move is over, and the search for that player's move;
/// false if it is not, or while the room is being stored. If the end cannot be stored, what waits
/// is refused, and the end is tried again later.
bool GameRoom::check_flag() {
    const auto& clock = session_.clock();
    if (is_closed_ || is_saving_ || !clock
        || !clock->has_flag_fallen(std::chrono::steady_clock::now()))
        return false;
    RoomState after = state();
    const auto end = after.session.end_by_clock();
    if (!end)
        return false;
    if (after.session.is_thinking())
        after.session.finish(engine::BestMove{});
    after.search.reset();
    const bool is_searching = !lacks_search();
    const auto move_reply = cancel_search();
    const Reply refuse = [this, is_searching, move_reply](const Answer& answer) {
        next_flag_check_ = std::chrono::steady_clock::now() + flag_retry_interval;
        if (is_searching)
            refuse_search();
        move_reply(answer);
        refuse_waiting(answer);
    };
    commit(std::move(after), refuse, [this, end = *end, move_reply] {
        log_progress();
        move_reply(rejection());
        send_to_others(end, no_participant);
        follow_change();
    });
    go_on();
    return true;
}

/// Gives up the search for a move to play, or what it has found. Returns who waits for it.
GameRoom::Reply GameRoom::cancel_search() {
    const auto search = std::exchange(search_, std::nullopt);
    const auto found = std::exchange(found_, std::nullopt);
    if (search)
        queue_.cancel(search->job);
    if (search)
        return search->pending.reply;
    return found ? found->pending.reply : [](const Answer&) {};
}

void GameRoom::refuse_waiting(const Answer& answer) {
    for (const auto& pending : std::exchange(pending_, {}))
        pending.reply(answer);
    for (const auto& waiting : std::exchange(waiting_, {}))
        waiting.reply(answer);
}

/// Sets the alarm for the flag of the player to move.
void GameRoom::set_alarm() {
    const auto& clock = session_.clock();
    auto time = clock ? clock->flag_time() : std::nullopt;
    if (time)
        time = std::max(*time, next_flag_check_);
    auto* const alarms = services_.alarms;
    if (alarms == nullptr || is_closed_ || time == alarm_)
        return;
    alarm_ = time;
    if (!time)
        return alarms->cancel(id_);
    alarms->set(id_, *time, [room = weak_from_this()] {
        const auto self = room.lock();
        if (!self)
            return;
        self->alarm_.reset();
        self->check_flag();
    });
}

void GameRoom::close() {
    is_closed_ = true;
    if (services_.alarms != nullptr)
        services_.alarms->cancel(id_);
    cancel_search()(rejection());
    cancel_hints(true);
    if (reviews_ != nullptr)
        reviews_->remove(id_);
    refuse_waiting(rejection());
    end_analysis();
}

/// Logs that a game has begun here, or has ended.
void GameRoom::log_progress() {
    if (!log_)
        return;
    const auto number = session_.games_before();
    if (std::exchange(logged_game_, number) != number) {
        log_->begun(id_);
        logged_end_ = false;
    }
    const auto ending = session_.ending();
    if (std::exchange(logged_end_, ending.has_value()) != ending.has_value() && ending)
        log_->ended(id_, plies(), ending->reason);
}

Answer GameRoom::handle(const Sender& sender, const FollowGame& /*request*/) {
    participants_[sender.participant].follows = true;
    last_status_ = status(false);
    last_control_ = control_of(session_);
    return to_sender(status(true));
}

Answer GameRoom::handle(const Sender& /*sender*/, const GetPositions& request) {
    const auto& game = session_.game();
    if (request.from > game.moves().size())
        return rejection();
    const auto from = static_cast<std::size_t>(request.from);
    if (!request.line)
        return to_sender(positions_message(game, from));
    auto message = line_positions_message(game, from, *request.line);
    return message ? to_sender(std::move(*message)) : rejection();
}

/// Takes or leaves a seat.
void GameRoom::change_seats(const Sender& sender, const RoomRequest& request, const Reply& reply) {
    const auto* const taken = std::get_if<TakeSeat>(&request);
    const auto player = taken ? taken->player : std::get<LeaveSeat>(request).player;
    const auto key = taken ? hash_of_key(taken->key) : std::string{};
    RoomState after = state();
    const bool may = taken ? after.player_keys.take_seat(player, key, taken->name)
                           : after.player_keys.leave_seat(player, keys_of(sender.participant));
    if (!may) {
        reply(rejection());
        return;
    }
    commit(std::move(after), reply, [this, sender, player, key, reply] {
        has_granted_request_ = true;
        const auto participant = participants_.find(sender.participant);
        if (!key.empty() && participant != participants_.end())
            participant->second.keys[index_of(player)] = key;
        reply(to_sender(key.empty() ? seat_left(player) : seat_taken(player)));
        notify_followers();
    });
}

Answer GameRoom::handle(const Sender& sender, const StartAnalysis& request) {
    auto& participant = participants_[sender.participant];
    participant.analysis_lines = request.lines;
    participant.client = sender.client;
    if (!start_analysis()) {
        participant.analysis_lines = 0;
        update_analysis();  // others may want one
        return rejection();
    }
    auto answer = to_sender(analysis_started());
    // The analysis may have ended long ago, and then sends nothing more.
    if (!last_analysis_.empty())
        answer.messages.push_back(analysis_message(session_.game(), last_analysis_, request.lines));
    return answer;
}

Answer GameRoom::handle(const Sender& sender, const StopAnalysis& /*request*/) {
    participants_[sender.participant].analysis_lines = 0;
    update_analysis();
    return to_sender(analysis_stopped());
}

/// Only who may move for the player to move says when the engine moves for that player.
Answer GameRoom::handle(const Sender& sender, const MoveNow& /*request*/) {
    if (!search_ || !may_act_for(session_.game().position().side_to_move(), sender))
        return rejection();
    queue_.stop(search_->job);
    return to_sender(search_stopped());
}

/// A game that is not over may be reviewed by who may take moves back: a player without an
/// opponent. A second request for the same review tells how far it is.
Answer GameRoom::handle(const Sender& sender, const StartReview& request) {
    const auto& game = session_.game();
    const GameStage stage{game.position().side_to_move(), session_.is_over()};
    const bool may = session_.is_over()
                  || (session_.is_playing()
                      && player_keys_.allow(TakeBack{}, stage, keys_of(sender.participant)));
    if (reviews_ == nullptr || !may || game.moves().empty()
        || game.moves().size() > max_review_plies)
        return rejection();
    using State = ReviewStatus::State;
    const bool exists = review_
                     && (review_->state == State::running
                         || (review_->state == State::ready && reviews_->has(id_)));
    if (exists)
        return to_sender(review_message(*review_));
    const auto report = [room = weak_from_this()](const ReviewStatus& status) {
        if (const auto self = room.lock())
            self->report_review(status);
    };
    const ReviewRequest review_request{
        id_, sender.client, game, result_of(session_.ending()), request.players, request.language};
    if (!reviews_->start(review_request, report))
        return rejection();
    reviewed_ = current_position();
    review_ = ReviewStatus{State::running, false, 0, game.moves().size() + 1, {}};
    return to_sender(review_message(*review_));
}

Answer GameRoom::answer_offer(const Sender& sender,
                              const OfferDraw& request,
                              RoomState& after) const {
    const core::Color player = request.player;
    if (!may_act_for(player, sender) || (request.to_engine && !may_act_for(~player, sender)))
        return rejection();
    if (offers_.draw() == ~player)
        return after.session.agree_draw();
    if (!after.offers.offer_draw(player, after.session))
        return rejection();
    if (!request.to_engine)
        return to_sender(offer_message("draw_offered", player));
    after.offers.withdraw_draw();
    if (engine_accepts_draw(session_.game().position(), last_engine_score(~player)))
        return after.session.agree_draw();
    return to_sender(offer_message("draw_declined", ~player));
}

Answer GameRoom::answer_offer(const Sender& sender,
                              const AcceptDraw& request,
                              RoomState& after) const {
    if (offers_.draw() != ~request.player || !may_act_for(request.player, sender))
        return rejection();
    return after.session.agree_draw();
}

Answer GameRoom::answer_offer(const Sender& sender,
                              const DeclineDraw& request,
                              RoomState& after) const {
    if (offers_.draw() != ~request.player || !may_act_for(request.player, sender))
        return rejection();
    after.offers.withdraw_draw();
    return to_sender(offer_message("draw_declined", request.player));
}

/// A player without an opponent, or against the engine, has a rematch at once.
Answer GameRoom::answer_offer(const Sender& sender,
                              const OfferRematch& request,
                              RoomState& after) const {
    const core::Color player = request.player;
    if (!may_act_for(player, sender))
        return rejection();
    if (offers_.rematch() == ~player || may_act_for(~player, sender))
        return begin_rematch(after);
    if (!after.offers.offer_rematch(player, after.session))
        return rejection();
    return to_sender(offer_message("rematch_offered", player));
}

Answer GameRoom::answer_offer(const Sender& sender,
                              const AcceptRematch& request,
                              RoomState& after) const {
    if (offers_.rematch() != ~request.player || !may_act_for(request.player, sender))
        return rejection();
    return begin_rematch(after);
}

Answer GameRoom::answer_offer(const Sender& sender,
                              const DeclineRematch& request,
                              RoomState& after) const {
    if (offers_.rematch() != ~request.player || !may_act_for(request.player, sender))
        return rejection();
    after.offers.withdraw_rematch();
    return to_sender(offer_message("rematch_declined", request.player));
}

bool GameRoom::may_act_for(core::Color player, const Sender& sender) const {
    return player_keys_.may_act_for(player, keys_of(sender.participant));
}

/// The score of a player's last move, if the engine has made it.
std::optional<engine::Score> GameRoom::last_engine_score(core::Color player) const {
    const auto& game = session_.game();
    const std::size_t plies_ago = game.position().side_to_move() == player ? 2 : 1;
    if (!engine_score_ || engine_score_->player != player || game.moves().size() < plies_ago)
        return std::nullopt;
    const auto ply = game.moves().size() + 1 - plies_ago;
    if (engine_score_->position != SearchedPosition{game.keys()[ply], ply})
        return std::nullopt;
    return engine_score_->score;
}

Answer GameRoom::begin_rematch(RoomState& after) {
    auto answer = after.session.begin_rematch();
    if (answer.audience == Audience::everyone) {
        after.player_keys.swap();
        ++after.rematches;
    }
    return answer;
}

PlayerKeys::ClientKeys GameRoom::keys_of(std::size_t participant) const {
    const auto found = participants_.find(participant);
    return found == participants_.end() ? PlayerKeys::ClientKeys{} : found->second.keys;
}

std::string GameRoom::status(bool with_clock) {
    RoomStatus status;
    for (const core::Color player : {core::Color::white, core::Color::black})
        status.is_taken[index_of(player)] = player_keys_.is_taken(player);
    status.names = player_keys_.names();
    status.present = participants_.size();
    status.draw_offer = offers_.draw();
    status.rematch_offer = offers_.rematch();
    status.rematches = rematches_;
    if (with_clock)
        status.now = std::chrono::steady_clock::now();
    return game_message(id_, session_, san_history_.update(session_.game()), status);
}

/// Sends the state of the game to its followers, if it has changed.
void GameRoom::notify_followers() {
    const auto follows = [](const auto& item) { return item.second.follows; };
    if (std::none_of(participants_.begin(), participants_.end(), follows))
        return;
    auto text = status(false);
    const auto control = control_of(session_);
    if (text == last_status_ && control == last_control_)
        return;
    last_status_ = std::move(text);
    last_control_ = control;
    const auto message = control ? status(true) : last_status_;
    for (const auto& [number, participant] : participants_) {
        if (participant.follows)
            participant.send(message);
    }
}

/// The lines of the analysis that wants most of them; 0 when nobody wants one.
int GameRoom::wanted_lines() const {
    int lines = 0;
    for (const auto& [number, participant] : participants_)
        lines = std::max(lines, participant.analysis_lines);
    return lines;
}

/// The address that an analysis counts for: of the first who wants one.
std::string GameRoom::analysis_client() const {
    for (const auto& [number, participant] : participants_) {
        if (participant.analysis_lines > 0)
            return participant.client;
    }
    return {};
}

/// Has the current position analysed; false when there are too many analyses, of all or of one
/// address.
bool GameRoom::start_analysis() {
    const Analysed current{current_position(), wanted_lines()};
    if (session_.is_over() || analysed_ == current)
        return true;
    const auto report = [room = weak_from_this(),
                         game = session_.game()](const std::vector<engine::Info>& pvs) {
        if (const auto self = room.lock())
            self->report_analysis(game, pvs);
    };
    end_analysis();
    server::SearchJob job;
    job.game = session_.game();
    job.game_id = id_;
    job.client = analysis_client();
    job.quota = server::Quota::analyses;
    job.priority = server::Priority::analysis;
    job.limits.movetime = max_analysis_time;
    job.multipv = current.lines;
    analysis_job_ = queue_.submit(std::move(job), nullptr, report);
    if (!analysis_job_)
        return false;
    analysed_ = current;
    last_analysis_.clear();
    return true;
}

/// Sends everybody who wants an analysis as many of its lines as he wants.
void GameRoom::report_analysis(const core::Game& game, std::vector<engine::Info> pvs) {
    last_analysis_ = std::move(pvs);
    std::array<std::string, max_analysis_lines + 1> messages;  // by their number of lines
    for (const auto& [number, participant] : participants_) {
        const int lines = participant.analysis_lines;
        if (lines == 0)
            continue;
        auto& message = messages.at(static_cast<std::size_t>(lines));
        if (message.empty())
            message = analysis_message(game, last_analysis_, lines);
        participant.send(message);
    }
}

/// Moves the analysis on to the current position, or stops it when nobody wants it any more.
void GameRoom::update_analysis() {
    const bool wanted = wanted_lines() > 0;
    if (wanted && !session_.is_over() && start_analysis())
        return;
    end_analysis();
    last_analysis_.clear();
    if (wanted && !session_.is_over())
        retry_analysis();
}

/// Starts the analysis as soon as there are fewer analyses.
void GameRoom::retry_analysis() {
    if (std::exchange(waits_for_analysis_, true))
        return;
    const auto retry = [room = weak_from_this()] {
        const auto self = room.lock();
        if (!self)
            return;
        self->waits_for_analysis_ = false;
        self->update_analysis();
    };
    queue_.when_not_full(retry, server::Priority::analysis, analysis_client(),
                         server::Quota::analyses);
}

void GameRoom::end_analysis() {
    analysed_.reset();
    if (const auto job = std::exchange(analysis_job_, std::nullopt))
        queue_.cancel(*job);
}

/// Tells the followers how far the review is, but not each step of it.
void GameRoom::report_review(const ReviewStatus& status) {
    const auto now = std::chrono::steady_clock::now();
    const bool is_step = status.state == ReviewStatus::State::running;
    review_ = status;
    if (is_step && now - last_review_report_ < review_report_interval)
        return;
    last_review_report_ = now;
    const auto message = review_message(status);
    for (const auto& [number, participant] : participants_) {
        if (participant.follows)
            participant.send(message);
    }
}

/// Ends the review of a game that goes on, or that is another one now.
void GameRoom::remove_old_review() {
    if (!review_ || reviewed_ == current_position())
        return;
    review_.reset();
    reviews_->remove(id_);
}

}  // namespace uci::json::web
