#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uci/chezz/game_room.hpp"
#include "uci/chezz/http/sessions.hpp"
#include "uci/chezz/limits.hpp"
#include "uci/net/client_quota.hpp"
#include "uci/net/cors.hpp"
#include "uci/net/request_handler.hpp"
#include "uci/net/url.hpp"
#include "uci/server/admin_api.hpp"
#include "uci/server/game_log.hpp"
#include "uci/server/search_queue.hpp"
#include "uci/store/async_store.hpp"
#include "uci/util/lru_cache.hpp"

namespace uci::chezz::http {

/// chezz's HTTP and WebSocket API. The store holds all games; this object holds rooms for those
/// with connected clients. Belongs to the server's thread.
class Api : public net::RequestHandler, private GameRoomServices {
public:
    Api(boost::asio::any_io_executor executor,
        store::AsyncStore& store,
        server::SearchQueue& queue,
        Rules rules,
        net::Cors cors);
    ~Api() override;
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    Api(Api&&) = delete;
    Api& operator=(Api&&) = delete;

    void handle(const net::HttpRequest& request, Respond respond) override;
    void upgrade(const net::HttpRequest& request, Decide decide) override;

    /// Re-reads a game that another process has changed.
    void refresh(GameId id);
    /// Re-reads all games that clients are connected to.
    void refresh_all();
    void disconnect_all();
    /// Whether no client is connected and no event is being handled.
    bool is_empty() const { return all_rooms().empty(); }
    using StoreChecked = std::function<void(std::optional<core::Error>)>;
    /// Finds out whether the store answers, and whether it took the last change. Error: why not.
    void check_store(StoreChecked callback);
    /// The games that clients are connected to.
    server::GameList games(std::size_t limit) const;
    /// Removes a game from the store and disconnects its clients. The callback gets false if there
    /// is none.
    void end_game(const std::string& text, std::function<void(core::Result<bool>)> callback);
    const server::GameLog& log() const { return log_; }
    /// Removes empty rooms, and has the store do what is due. To be called once a second.
    void maintain();

private:
    enum class Route : unsigned char { health, test, create, game, play, none };

    /// A request until it is answered.
    struct RequestContext {
        net::HttpRequest request;
        net::Url target;
        Route route = Route::none;
        net::CorsResult cors = net::CorsResult::same_origin;
        Session session;
        Respond respond;
        Decide decide;                         ///< only for WebSocket upgrades
        store::AsyncStore::Deadline deadline;  ///< for all that the store does for it
    };
    using Context = std::shared_ptr<RequestContext>;
    using FoundGame = core::Result<std::optional<StoredGame>>;

    static Route route_of(const net::HttpRequest& request, const net::Url& target);
    void dispatch(const Context& context);
    void route(const Context& context);
    void respond(const Context& context, net::HttpResponse response) const;
    std::string cookie_for(const Context& context) const;
    void respond_with_json(const Context& context, int status, std::string body) const;
    void respond_with_text(const Context& context, int status, std::string body) const;
    void respond_unavailable(const Context& context) const;

    void respond_health(const Context& context);
    void check_store(StoreChecked callback, Deadline deadline);
    void create_game(const Context& context);
    void store_new_game(const Context& context, const GameState& state);
    void handle_game_route(const Context& context);
    void respond_game(const Context& context, const GameState& state);
    void open_socket(const Context& context, const GameState& state);
    void accept_socket(const Context& context, const GameState& state, bool with_cookie);
    std::shared_ptr<GameRoom> room_of(GameId id);
    std::vector<std::shared_ptr<GameRoom>> all_rooms() const;

    const Rules& rules() const override { return rules_; }
    Deadline store_deadline() const override { return store_.deadline(); }
    void find_game(GameId id,
                   std::optional<std::string> known_record,
                   Deadline deadline,
                   GameCallback callback) override;
    void replace_record(GameId id,
                        std::string before,
                        std::string after,
                        Deadline deadline,
                        ReplaceCallback callback) override;
    void when_store_may_work(std::function<void()> retry) override;
    bool request_move(const GameState& state,
                      const std::string& client_key,
                      MoveCallback callback) override;
    void when_queue_not_full(const std::string& client_key, std::function<void()> retry) override;
    std::optional<std::size_t> plies_seen(UserId user, GameId id) override;
    void set_plies_seen(UserId user, GameId id, std::size_t plies) override;
    void note_end(const GameState& state, EndReason reason) override;

    boost::asio::any_io_executor executor_;
    store::AsyncStore& store_;
    server::SearchQueue& queue_;
    Rules rules_;
    net::Cors cors_;
    SessionManager sessions_;
    server::GameLog log_;
    net::RateLimiter new_games_{Limits::max_new_games, Limits::new_game_interval};
    std::map<GameId, std::weak_ptr<GameRoom>> rooms_;
    /// What waits until the store may work again, and when that is.
    std::vector<std::function<void()>> store_retries_;
    boost::asio::steady_timer store_retry_timer_;
    util::LruCache<std::pair<UserId, GameId>, std::size_t> plies_seen_{
        Limits::max_plies_seen_entries};
};

}  // namespace uci::chezz::http
