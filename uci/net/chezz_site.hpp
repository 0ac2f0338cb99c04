#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "uci/chezz/engine_queue.hpp"
#include "uci/chezz/room.hpp"
#include "uci/net/chezz_sessions.hpp"
#include "uci/net/origin.hpp"
#include "uci/net/recent.hpp"
#include "uci/net/store_desk.hpp"
#include "uci/net/target.hpp"
#include "uci/net/web.hpp"

namespace uci::net {

/// chezz's HTTP and WebSocket interface: games are made, looked at and played. The store has the
/// games; here are only those that someone is connected to. Belongs to the server's thread.
class ChezzSite : public WebApplication, private chezz::RoomHost {
public:
    ChezzSite(boost::asio::any_io_executor executor,
              StoreDesk& desk,
              chezz::EngineQueue& engine,
              chezz::Rules rules,
              std::string allowed_origin);
    ~ChezzSite() override;
    ChezzSite(const ChezzSite&) = delete;
    ChezzSite& operator=(const ChezzSite&) = delete;
    ChezzSite(ChezzSite&&) = delete;
    ChezzSite& operator=(ChezzSite&&) = delete;

    /// Whether only this machine can reach the site.
    void set_local_only(bool local_only) { local_only_ = local_only; }

    void answer(const HttpRequest& request, Respond respond) override;
    void upgrade(const HttpRequest& request, Decide decide) override;

    /// Another process has changed a game.
    void look(chezz::GameId id);
    /// Other processes may have changed any game.
    void look_at_all();
    /// Says good-bye to everyone who is connected to a game.
    void dismiss_all();
    /// Whether nobody is connected to a game, and nothing is being done for one.
    bool is_empty() const { return all_rooms().empty(); }
    /// Clears away what nobody needs any more; wants to be called every second.
    void clear_away();

private:
    enum class Route : unsigned char { health, test, create, game, play, none };

    /// A request on its way to its answer.
    struct Exchange {
        HttpRequest request;
        Target target;
        Route route = Route::none;
        OriginVerdict origin = OriginVerdict::own;
        Visitor visitor;
        Respond respond;
        Decide decide;  ///< of those who ask for a WebSocket
    };
    using Shared = std::shared_ptr<Exchange>;
    using Found = core::Result<std::optional<std::string>>;

    static Route route_of(const HttpRequest& request, const Target& target);
    void take(const Shared& exchange);
    void route(const Shared& exchange);
    void respond(const Shared& exchange, HttpResponse response) const;
    void respond_with_json(const Shared& exchange, int status, std::string body) const;
    void respond_with_text(const Shared& exchange, int status, std::string body) const;
    void fail(const Shared& exchange) const;

    void check_health(const Shared& exchange);
    void create(const Shared& exchange);
    void add(const Shared& exchange, const chezz::Table& table);
    void find_game(const Shared& exchange);
    void show(const Shared& exchange, const chezz::Table& table);
    void open_socket(const Shared& exchange, const chezz::Table& table);
    void let_in(const Shared& exchange, const chezz::Table& table, bool with_cookie);
    std::shared_ptr<chezz::Room> room(chezz::GameId id);
    std::vector<std::shared_ptr<chezz::Room>> all_rooms() const;

    const chezz::Rules& rules() const override { return rules_; }
    void find(chezz::GameId id, RoomHost::Found found) override;
    void replace(chezz::GameId id, std::string before, std::string after, Replaced done) override;
    bool think(const chezz::Table& table, Thought thought) override;
    std::optional<std::size_t> plies_seen(chezz::UserId user, chezz::GameId id) override;
    void note_plies_seen(chezz::UserId user, chezz::GameId id, std::size_t plies) override;

    boost::asio::any_io_executor executor_;
    StoreDesk& desk_;
    chezz::EngineQueue& engine_;
    chezz::Rules rules_;
    std::string allowed_origin_;
    bool local_only_ = true;
    ChezzSessions sessions_;
    std::map<chezz::GameId, std::weak_ptr<chezz::Room>> rooms_;
    Recent<std::pair<chezz::UserId, chezz::GameId>, std::size_t> views_{chezz::Limits::views};
};

}  // namespace uci::net
