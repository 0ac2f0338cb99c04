#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

#include "uci/net/request_handler.hpp"
#include "uci/server/metrics_writer.hpp"

namespace uci::server {

/// A game, for the person who runs the server.
struct GameSummary {
    std::string id;
    std::size_t plies = 0;
    std::size_t clients = 0;  ///< that are connected to it
    /// Since when nobody has done anything in it, if that is known.
    std::optional<std::chrono::seconds> idle{};
};

struct GameList {
    std::size_t total = 0;
    std::vector<GameSummary> games{};  ///< some of them, if they are too many
};

/// What the admin listener asks of its server. Called in the server's thread.
class AdminTarget {
public:
    using OnReadiness = std::function<void(std::optional<core::Error>)>;
    using OnEnded = std::function<void(core::Result<bool>)>;

    AdminTarget() = default;
    virtual ~AdminTarget() = default;
    AdminTarget(const AdminTarget&) = delete;
    AdminTarget& operator=(const AdminTarget&) = delete;
    AdminTarget(AdminTarget&&) = delete;
    AdminTarget& operator=(AdminTarget&&) = delete;

    /// Finds out, now or later, whether new clients can be served. Error: why not.
    virtual void check_ready(OnReadiness callback) = 0;
    virtual void write_metrics(MetricsWriter& metrics) const = 0;
    /// The games; no more than `limit` of them in detail.
    virtual GameList games(std::size_t limit) const = 0;
    /// Ends a game, now or later. The callback gets false if there is no such game.
    virtual void end_game(const std::string& id, OnEnded callback) = 0;
    /// Lets the server stop as soon as its clients have finished.
    virtual void drain() = 0;
};

/// The requests of the admin listener: state, metrics, games. Belongs to the server's thread.
class AdminApi {
public:
    /// Gets the response, and what is to be done once it is sent; that may be null.
    using Respond = std::function<void(net::HttpResponse, std::function<void()> then)>;

    explicit AdminApi(AdminTarget& target) : target_{target} {}

    /// Answers a request, now or later; `respond` is called exactly once.
    void handle(const net::HttpRequest& request, const Respond& respond);

private:
    void handle_get(const net::HttpRequest& request, const Respond& respond);
    void check_ready(const Respond& respond);
    void handle_post(const std::string& path, const Respond& respond);
    std::optional<Respond> begin_wait(const Respond& respond);
    net::HttpResponse metrics() const;

    AdminTarget& target_;
    /// How many requests wait for the server's answer. Their callbacks may outlive this object.
    std::shared_ptr<int> waiting_ = std::make_shared<int>(0);
};

}  // namespace uci::server
