#include "uci/net/play/room.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "uci/json/company_text.hpp"
#include "uci/net/play/limits.hpp"

namespace uci::net::play {

namespace {

json::Answer to_sender(std::string message) {
    return {{std::move(message)}, json::Audience::sender};
}

}  // namespace

bool Room::is_full() const {
    return participants_.size() >= most_participants;
}

std::size_t Room::enter(Say say) {
    last_visit_ = std::chrono::steady_clock::now();
    if (is_full())
        return nobody;
    participants_[++last_participant_].say = std::move(say);
    tell_followers();
    return last_participant_;
}

void Room::leave(std::size_t participant) {
    last_visit_ = std::chrono::steady_clock::now();
    participants_.erase(participant);
    tell_followers();
    look_after_analysis();
}

void Room::hear(std::size_t participant, const std::string& message, Reply reply) {
    last_visit_ = std::chrono::steady_clock::now();
    if (auto request = json::read_request(message)) {
        Waiting wish{participant, std::move(*request), std::move(reply)};
        if (!session_.is_thinking())
            take(wish);
        else if (waiting_.size() < most_waiting_requests)
            waiting_.push_back(std::move(wish));
        else
            wish.reply(json::refused());
        return;
    }
    const auto request = json::read_company_request(message);
    if (!request || participant == nobody) {
        reply(json::refused());
        return;
    }
    const auto answer =
        std::visit([&](const auto& wish) { return handle(participant, wish); }, *request);
    untouched_ = untouched_ && answer.audience == json::Audience::sender_refused;
    reply(answer);
    tell_followers();
}

void Room::take(const Waiting& wish) {
    const auto turn = session_.game().position().side_to_move();
    if (!seats_.allow(wish.request, turn, key_of(wish.participant))) {
        wish.reply(json::refused());
        return;
    }
    auto step = session_.take(wish.request);
    if (auto* limits = std::get_if<engine::Limits>(&step))
        think(std::move(*limits), wish);
    else
        publish(*std::get_if<json::Answer>(&step), wish);
}

void Room::think(engine::Limits limits, const Waiting& wish) {
    const auto done = [room = weak_from_this(), wish](const engine::BestMove& best) {
        if (const auto self = room.lock())
            self->finish(best, wish);
    };
    if (!thinker_.think({session_.game(), std::move(limits), done}))
        finish({}, wish);
    else
        tell_followers();
}

void Room::finish(const engine::BestMove& best, const Waiting& wish) {
    last_visit_ = std::chrono::steady_clock::now();
    publish(session_.finish(best), wish);
    while (!waiting_.empty() && !session_.is_thinking()) {
        const auto next = std::move(waiting_.front());
        waiting_.pop_front();
        take(next);
    }
}

/// Tells an answer to all whom it concerns.
void Room::publish(const json::Answer& answer, const Waiting& wish) {
    untouched_ = untouched_ && answer.audience == json::Audience::sender_refused;
    wish.reply(answer);
    if (answer.audience == json::Audience::everyone) {
        for (const auto& [number, participant] : participants_) {
            if (number == wish.participant)
                continue;
            for (const auto& message : answer.messages)
                participant.say(message);
        }
    }
    tell_followers();
    look_after_analysis();
}

json::Answer Room::handle(std::size_t participant, const json::FollowGame& /*request*/) {
    participants_[participant].follows = true;
    told_ = situation();
    return to_sender(told_);
}

json::Answer Room::handle(std::size_t participant, const json::TakeSeat& request) {
    if (!seats_.take(request.player, request.key))
        return json::refused();
    participants_[participant].key = request.key;
    return to_sender(json::seat_taken(request.player));
}

json::Answer Room::handle(std::size_t participant, const json::LeaveSeat& request) {
    if (!seats_.leave(request.player, key_of(participant)))
        return json::refused();
    return to_sender(json::seat_left(request.player));
}

json::Answer Room::handle(std::size_t participant, const json::StartAnalysis& /*request*/) {
    participants_[participant].wants_analysis = true;
    if (!analyse()) {
        participants_[participant].wants_analysis = false;
        return json::refused();
    }
    auto answer = to_sender(json::analysis_started());
    // It may be long since the engine has found out all it could.
    if (!analysis_.empty())
        answer.messages.push_back(analysis_);
    return answer;
}

json::Answer Room::handle(std::size_t participant, const json::StopAnalysis& /*request*/) {
    participants_[participant].wants_analysis = false;
    look_after_analysis();
    return to_sender(json::analysis_stopped());
}

std::string Room::key_of(std::size_t participant) const {
    const auto found = participants_.find(participant);
    return found == participants_.end() ? "" : found->second.key;
}

std::string Room::situation() {
    json::Company company;
    for (const core::Color player : {core::Color::white, core::Color::black})
        company.is_taken[index_of(player)] = seats_.is_taken(player);
    company.present = participants_.size();
    return json::game(id_, session_, scoresheet_.of(session_.game()), company);
}

/// Tells those who follow the game how it stands, if that is news.
void Room::tell_followers() {
    const auto follows = [](const auto& item) { return item.second.follows; };
    if (std::none_of(participants_.begin(), participants_.end(), follows))
        return;
    auto text = situation();
    if (text == told_)
        return;
    told_ = std::move(text);
    for (const auto& [number, participant] : participants_) {
        if (participant.follows)
            participant.say(told_);
    }
}

/// Has the present position analysed; false when the engine has no room for that.
bool Room::analyse() {
    const Place place{session_.game().keys().back(), session_.game().moves().size()};
    if (session_.is_over() || analysed_ == place)
        return true;
    const auto tell = [room = weak_from_this(), game = session_.game()](const engine::Info& info) {
        const auto self = room.lock();
        if (!self)
            return;
        self->analysis_ = json::analysis(game, info);
        for (const auto& [number, participant] : self->participants_) {
            if (participant.wants_analysis)
                participant.say(self->analysis_);
        }
    };
    if (!thinker_.analyse(id_, session_.game(), tell))
        return false;
    analysed_ = place;
    analysis_.clear();
    return true;
}

/// Keeps the analysis at the present position, as long as someone wants one.
void Room::look_after_analysis() {
    const auto wants = [](const auto& item) { return item.second.wants_analysis; };
    const bool wanted = std::any_of(participants_.begin(), participants_.end(), wants);
    if (wanted && !session_.is_over() && analyse())
        return;
    if (std::exchange(analysed_, std::nullopt))
        thinker_.forget(id_);
    analysis_.clear();
}

}  // namespace uci::net::play
