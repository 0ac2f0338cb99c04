#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "uci/json/session.hpp"
#include "uci/json/web/player_keys.hpp"
#include "uci/json/web/player_offers.hpp"
#include "uci/json/web/review_service.hpp"
#include "uci/json/web/room_record.hpp"
#include "uci/json/web/room_request.hpp"
#include "uci/json/web/room_store.hpp"
#include "uci/json/web/san_history.hpp"
#include "uci/server/alarms.hpp"
#include "uci/server/game_log.hpp"
#include "uci/server/search_queue.hpp"

namespace uci::json::web {

/// The answer to a request that needs the store while that cannot be used.
Answer unavailable_answer();

/// What the rooms of a server share. What is null is missing.
struct RoomServices {
    server::SearchQueue& queue;
    SharedTablebases tablebases{};
    ReviewService* reviews = nullptr;  ///< of games
    server::GameLog* log = nullptr;    ///< hears of the games that begin and end
    RoomStore* store = nullptr;        ///< without it rooms live in memory only
    /// Another process has changed the room of that id in the store: it must be read again.
    std::function<void(const std::string& id)> on_outdated{};
    /// The room of that id lacks a search for the engine's move: see GameRoom::lacks_search().
    std::function<void(const std::string& id)> on_lacking_search{};
    /// End games in time when a flag falls; without them it is noticed at the next message.
    server::Alarms* alarms = nullptr;
};

/// One game with its connected clients, players and spectators. Belongs to the server's thread.
/// With a store, a change is made once it is stored; until then clients see the state before it,
/// and their messages wait.
class GameRoom : public std::enable_shared_from_this<GameRoom> {
public:
    using Send = std::function<void(const std::string&)>;
    using Reply = std::function<void(const Answer&)>;
    using Time = std::chrono::steady_clock::time_point;

    /// Stands for a client that is not connected: an HTTP request.
    static constexpr std::size_t no_participant = 0;

    /// Who sends a message: a connected client or an HTTP request, and its address as of
    /// net::client_key().
    struct Sender {
        std::size_t participant = no_participant;
        std::string client{};
        std::uint64_t http_request = 0;  ///< its number in this server
    };

    GameRoom(std::string id, const RoomServices& services)
        : id_{std::move(id)},
          services_{services},
          queue_{services.queue},
          reviews_{services.reviews},
          log_{services.log},
          session_{Spelling::correct, services.tablebases},
          stored_state_{services.store ? write_room_record({}) : ""} {}
    /// Makes a new room the one that was stored with that record, of that state. If the engine was
    /// about to move, it lacks its search then.
    void restore(const RoomRecord& record, std::string text, std::string state_text);

    /// Takes over what another server has stored of this room, and tells the clients. A search for
    /// a move of another position ends. Not while this server stores it: then the save finds out
    /// which of them goes on.
    void refresh(const RoomRecord& record, std::string text);
    /// Stores the room again after the store has lost it, or its last changes.
    void repair(const std::optional<std::string>& stored);
    /// RoomRecord::revision of what is stored, as far as known.
    std::uint64_t revision() const { return revision_; }

    /// Whether the engine is to move and this server does not search: another one does, or has
    /// until it ended.
    bool lacks_search() const { return session_.is_thinking() && !search_ && !found_; }
    /// The server that searches for the engine's move, and since when this one knows of it.
    const std::string& searcher() const { return searcher_; }
    Time searched_since() const { return searched_since_; }
    /// Searches for the engine's move here, if this room lacks that, once it is stored that it is
    /// this server that does; another server that does so too may be faster. Waits while too many
    /// searches wait.
    void take_over_search();

    bool is_full() const;
    /// Adds a client, who receives through `send` what everybody receives. Returns its number, or
    /// no_participant when the room is full.
    std::size_t join(Send send);
    void leave(std::size_t participant);
    /// Handles a message; `reply` gets the answer, at once or when a search has ended. Only the
    /// search for a move to play makes other requests wait; a hint is given up when the game goes
    /// on.
    void handle_message(const Sender& sender, const std::string& message, Reply reply);
    /// Gives up what a client waits for that has left: a hint, an explanation, or a request that
    /// waits for the end of a search. The search for a move to play goes on.
    void cancel_requests_of(const Sender& sender);

    /// Refuses all requests that wait, and ends searches, hints, analysis and review. No other
    /// request may follow, and nobody can join.
    void close();

    /// Stores the room again if clients use it, but have not changed it for long. False: that is
    /// not needed.
    bool renew(Time now);
    /// Whether the store may have a record of this room.
    bool is_stored() const { return stored_record_.has_value() || is_saving_ || is_uncertain_; }

    const std::string& id() const { return id_; }
    std::size_t plies() const { return session_.game().moves().size(); }
    std::size_t count_participants() const { return participants_.size(); }
    /// Whether nobody is connected or waits for an answer.
    bool is_idle() const {
        return participants_.empty() && !session_.is_thinking() && hints_.empty() && !is_saving_;
    }
    /// Whether somebody would lose something with this game: moves, or a position set up.
    bool has_begun() const {
        return !session_.game().moves().empty()
            || session_.game().position().key() != core::Position::start().key();
    }
    /// Whether the store has all of it, so that it can leave memory. Not while its clock runs: the
    /// flag must fall.
    bool may_leave_memory() const {
        const bool runs = session_.clock() && session_.clock()->running();
        return is_idle() && stored_record_ && !is_uncertain_ && !runs;
    }
    /// Whether no request was ever granted.
    bool is_unused() const { return !has_granted_request_; }
    Time last_activity() const { return last_activity_; }

private:
    struct Participant {
        Send send;
        PlayerKeys::ClientKeys keys;
        bool follows = false;
        int analysis_lines = 0;  ///< as many as it wants; 0: no analysis
        std::string client{};    ///< its address, once it wants an analysis
    };
    struct SearchedPosition {
        core::Key key;
        std::size_t ply;

        friend bool operator==(const SearchedPosition&, const SearchedPosition&) = default;
    };
    /// What is analysed, with so many lines.
    struct Analysed {
        SearchedPosition position;
        int lines;

        friend bool operator==(const Analysed&, const Analysed&) = default;
    };
    /// The score of the engine's last move, for its player, and the position after it.
    struct EngineScore {
        engine::Score score;
        SearchedPosition position;
        core::Color player;
    };
    struct PendingRequest {
        Sender sender;
        Request request;
        Reply reply;
    };
    struct WaitingMessage {
        Sender sender;
        std::string message;
        Reply reply;
    };
    /// What a request may change, and what is stored of a room but for its times and the offers.
    struct RoomState {
        Session session;
        PlayerKeys player_keys;
        std::optional<engine::Limits> search;
        std::string searcher;  ///< the server that searches, if one does
        PlayerOffers offers;
        int rematches = 0;
    };
    struct FoundMove {
        engine::BestMove best;
        PendingRequest pending;
    };
    /// The answer to a hint or an explanation.
    using AnswerOf = std::function<Answer(const server::SearchResult&)>;
    struct RunningSearch {
        PendingRequest pending;
        server::SearchQueue::JobId job;
    };
    struct RunningHint {
        PendingRequest pending;
        AnswerOf answer_of;
        SearchedPosition position;
        bool is_over;  ///< the game, when it was asked for
        server::SearchQueue::JobId job;
    };

    void handle_now(const Sender& sender, const std::string& message, Reply reply);
    void handle_request(const PendingRequest& pending);
    void resign_during_search(const PendingRequest& pending);
    void change_seats(const Sender& sender, const RoomRequest& request, const Reply& reply);
    template <typename Offer>
    void handle_offer(const Sender& sender, const Offer& request, const Reply& reply);
    void answer_at_once(const Answer& answer, const Reply& reply);
    RoomState state() const {
        return {session_, player_keys_, searched_, searcher_, offers_, rematches_};
    }
    RoomState state_of(const RoomRecord& record) const;
    void set_state(RoomState state);
    void commit(RoomState after, const Reply& reply, std::function<void()> then);
    void save(std::string record, std::function<void(bool)> then);
    void refuse_search();
    std::string own_name() const { return services_.store ? services_.store->server() : ""; }
    void report_lack();
    void search_here();
    /// As it is stored; without times, to be compared, if it is not said when it was changed.
    std::string record_of(const RoomState& state, std::optional<WallTime> changed = {}) const;
    bool may_wait_for_store(const Sender& sender, const std::string& message) const;
    bool may_wait(const PendingRequest& request) const;
    SearchedPosition current_position() const;
    server::SearchJob job_for(engine::Limits limits, const Sender& sender) const;
    void start_hint(engine::Limits limits, const PendingRequest& pending);
    void start_explanation(const Explain& request, const PendingRequest& pending);
    void submit_hint(server::SearchJob job, const PendingRequest& pending, AnswerOf answer_of);
    void finish_hint(std::uint64_t number, const server::SearchResult& result);
    void cancel_hints(bool all);
    void cancel(std::map<std::uint64_t, RunningHint>::iterator hint);
    void go_on();
    bool handle_next();
    void start_search(engine::Limits limits, const PendingRequest& pending);
    void finish_search(const engine::BestMove& best, const PendingRequest& pending);
    void play_found(const FoundMove& found);
    Reply cancel_search();
    void refuse_waiting(const Answer& answer);
    void deliver(const Answer& answer, const Sender& sender, const Reply& reply);
    void send_to_others(const Answer& answer, std::size_t sender);
    void follow_change();
    bool check_flag();
    void set_alarm();

    Answer handle(const Sender& sender, const FollowGame& request);
    Answer handle(const Sender& sender, const GetPositions& request);
    Answer handle(const Sender& sender, const StartAnalysis& request);
    Answer handle(const Sender& sender, const StopAnalysis& request);
    Answer handle(const Sender& sender, const MoveNow& request);
    Answer handle(const Sender& sender, const StartReview& request);

    Answer answer_offer(const Sender& sender, const OfferDraw& request, RoomState& after) const;
    Answer answer_offer(const Sender& sender, const AcceptDraw& request, RoomState& after) const;
    Answer answer_offer(const Sender& sender, const DeclineDraw& request, RoomState& after) const;
    Answer answer_offer(const Sender& sender, const OfferRematch& request, RoomState& after) const;
    Answer answer_offer(const Sender& sender, const AcceptRematch& request, RoomState& after) const;
    Answer answer_offer(const Sender& sender,
                        const DeclineRematch& request,
                        RoomState& after) const;

    bool may_act_for(core::Color player, const Sender& sender) const;
    std::optional<engine::Score> last_engine_score(core::Color player) const;
    static Answer begin_rematch(RoomState& after);

    void log_progress();
    PlayerKeys::ClientKeys keys_of(std::size_t participant) const;
    std::string status(bool with_clock);
    void notify_followers();
    int wanted_lines() const;
    std::string analysis_client() const;
    bool start_analysis();
    void report_analysis(const core::Game& game, std::vector<engine::Info> pvs);
    void update_analysis();
    void retry_analysis();
    void end_analysis();
    void report_review(const ReviewStatus& status);
    void remove_old_review();

    std::string id_;
    RoomServices services_;
    server::SearchQueue& queue_;
    ReviewService* reviews_;
    server::GameLog* log_;
    std::optional<std::uint64_t> logged_game_;  ///< Session::games_before() of the game last logged
    bool logged_end_ = false;
    Session session_;
    PlayerKeys player_keys_;
    PlayerOffers offers_;
    int rematches_ = 0;  ///< how often the players have changed colours
    std::optional<EngineScore> engine_score_;
    std::optional<engine::Limits> searched_;  ///< while the session is thinking
    std::string searcher_;                    ///< the server that searches then
    Time searched_since_{};
    SanHistory san_history_;
    std::map<std::size_t, Participant> participants_;
    std::size_t last_participant_ = no_participant;
    bool is_closed_ = false;
    std::optional<RunningSearch> search_;  ///< for a move to play
    std::deque<PendingRequest> pending_;   ///< wait for the end of the search
    std::deque<WaitingMessage> waiting_;   ///< wait for the store
    std::optional<FoundMove> found_;       ///< waits for the store
    bool is_saving_ = false;
    bool is_going_on_ = false;
    std::optional<std::string> stored_record_;  ///< as the store holds it, as far as known
    std::string stored_state_;                  ///< the same without times
    std::uint64_t revision_ = 0;                ///< of stored_record_
    bool is_uncertain_ = false;                 ///< the last save failed
    Time last_saved_;
    WallTime created_ = wall_time();
    WallTime changed_ = created_;
    std::map<std::uint64_t, RunningHint> hints_;  ///< and explanations
    std::uint64_t last_hint_ = 0;
    std::string last_status_;  ///< as sent to followers, but for the clocks
    std::optional<TimeControl> last_control_;
    std::optional<Time> alarm_;  ///< when the flag falls
    Time next_flag_check_{};     ///< not before, because the end could not be stored
    std::optional<Analysed> analysed_;
    std::optional<server::SearchQueue::JobId> analysis_job_;
    std::vector<engine::Info> last_analysis_;  ///< the pvs of the last report about it
    bool waits_for_analysis_ = false;          ///< until there are fewer analyses
    std::optional<ReviewStatus> review_;
    SearchedPosition reviewed_{};  ///< the last one of the game in review_
    Time last_review_report_;
    bool has_granted_request_ = false;
    Time last_activity_ = std::chrono::steady_clock::now();
};

}  // namespace uci::json::web
