#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "uci/json/company_request.hpp"
#include "uci/json/session.hpp"
#include "uci/net/play/scoresheet.hpp"
#include "uci/net/play/seats.hpp"
#include "uci/net/play/thinker.hpp"

namespace uci::net::play {

/// One game and all who take part in it, be it by watching. Belongs to the server's thread.
class Room : public std::enable_shared_from_this<Room> {
public:
    using Say = std::function<void(const std::string&)>;
    using Reply = std::function<void(const json::Answer&)>;
    using Time = std::chrono::steady_clock::time_point;

    /// The participant that none is: a client who asks without staying.
    static constexpr std::size_t nobody = 0;

    Room(std::string id, Thinker& thinker) : id_{std::move(id)}, thinker_{thinker} {}

    /// Whether no more participants come in.
    bool is_full() const;
    /// Someone comes in, and is told through `say` what concerns all; nobody when the room is
    /// full.
    std::size_t enter(Say say);
    void leave(std::size_t participant);
    /// A participant, or nobody, asks for something; `reply` gets the answer, now or later.
    void hear(std::size_t participant, const std::string& message, Reply reply);

    const std::string& id() const { return id_; }
    /// Whether nobody is here or waits for an answer.
    bool is_deserted() const { return participants_.empty() && !session_.is_thinking(); }
    /// Whether no request was ever granted.
    bool is_untouched() const { return untouched_; }
    Time last_visit() const { return last_visit_; }

private:
    struct Participant {
        Say say;
        std::string key;  ///< of the seats taken
        bool follows = false;
        bool wants_analysis = false;
    };
    /// Where a game stands: a position, and how many moves led there.
    using Place = std::pair<core::Key, std::size_t>;
    struct Waiting {
        std::size_t participant;
        json::Request request;
        Reply reply;
    };

    void take(const Waiting& wish);
    void think(engine::Limits limits, const Waiting& wish);
    void finish(const engine::BestMove& best, const Waiting& wish);
    void publish(const json::Answer& answer, const Waiting& wish);

    json::Answer handle(std::size_t participant, const json::FollowGame& request);
    json::Answer handle(std::size_t participant, const json::TakeSeat& request);
    json::Answer handle(std::size_t participant, const json::LeaveSeat& request);
    json::Answer handle(std::size_t participant, const json::StartAnalysis& request);
    json::Answer handle(std::size_t participant, const json::StopAnalysis& request);

    std::string key_of(std::size_t participant) const;
    std::string situation();
    void tell_followers();
    bool analyse();
    void look_after_analysis();

    std::string id_;
    Thinker& thinker_;
    json::Session session_;
    Seats seats_;
    Scoresheet scoresheet_;
    std::map<std::size_t, Participant> participants_;
    std::size_t last_participant_ = nobody;
    std::deque<Waiting> waiting_;
    std::string told_;  ///< to those who follow, the last time
    std::optional<Place> analysed_;
    std::string analysis_;  ///< what was told of it last
    bool untouched_ = true;
    Time last_visit_ = std::chrono::steady_clock::now();
};

}  // namespace uci::net::play
