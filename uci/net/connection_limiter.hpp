#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace uci::net {

class ConnectionSlot;

struct ConnectionLimits {
    std::size_t connections;
    std::size_t unsent;  ///< bytes that may wait for one slow client
    /// Bytes for all clients together. Beyond it, a client is disconnected when it is sent
    /// something and more than 1/16 of `unsent` waits for it.
    std::size_t unsent_total;
    std::size_t per_client = SIZE_MAX;  ///< connections of one client address
    /// A client that has not taken its HTTP response for so long is closed when another needs its
    /// place.
    std::chrono::milliseconds send_patience{5'000};
};

/// Counts the connections of a server. When the limit is reached, the one that has not taken its
/// response for the longest time is closed, or else the one that has been idle for the longest
/// time. Belongs to the server's thread.
class ConnectionLimiter : public std::enable_shared_from_this<ConnectionLimiter> {
public:
    explicit ConnectionLimiter(const ConnectionLimits& limits) : limits_{limits} {}

    /// Whether a client may have another connection: a key as of client_key(), where an empty one
    /// has no limit. To be asked before admit(), which may close somebody else's idle connection.
    bool has_room_for(const std::string& client) const {
        const auto found = clients_.find(client);
        return found == clients_.end() || found->second < limits_.per_client;
    }

    /// A slot for another connection. Null when all slots are taken by active connections.
    std::shared_ptr<ConnectionSlot> admit() {
        if (count_ >= limits_.connections)
            evict();
        return count_ < limits_.connections ? std::make_shared<ConnectionSlot>(shared_from_this())
                                            : nullptr;
    }

    /// Closes a connection: one that takes its response too slowly, or else one that is idle. False
    /// when there is none.
    bool evict() { return evict_slow() || evict_first(idle_); }

    std::size_t count() const { return count_; }
    /// Connections without a request.
    std::size_t count_idle() const { return idle_.size(); }

private:
    friend class ConnectionSlot;

    using Clock = std::chrono::steady_clock;
    struct Evictable {
        std::function<void()> evict;
        Clock::time_point since;
    };
    using Evictables = std::list<Evictable>;

    static bool evict_first(const Evictables& connections) {
        if (connections.empty())
            return false;
        const auto evict = connections.front().evict;
        evict();
        return true;
    }
    bool evict_slow() {
        return !sending_.empty() && Clock::now() - sending_.front().since >= limits_.send_patience
            && evict_first(sending_);
    }

    ConnectionLimits limits_;
    std::size_t count_ = 0;
    std::size_t unsent_ = 0;
    std::map<std::string, std::size_t> clients_;  ///< how many connections each has
    Evictables idle_;                             ///< longest idle first
    Evictables sending_;                          ///< an HTTP response, longest first
};

/// The place of one connection, held while it is open.
class ConnectionSlot {
public:
    explicit ConnectionSlot(std::shared_ptr<ConnectionLimiter> limiter)
        : limiter_{std::move(limiter)} {
        ++limiter_->count_;
    }
    ~ConnectionSlot() {
        release_client();
        mark_active();
        end_response();
        set_unsent_bytes(0);
        --limiter_->count_;
    }
    ConnectionSlot(const ConnectionSlot&) = delete;
    ConnectionSlot& operator=(const ConnectionSlot&) = delete;
    ConnectionSlot(ConnectionSlot&&) = delete;
    ConnectionSlot& operator=(ConnectionSlot&&) = delete;

    /// Says whose connection it is: a key as of client_key(), where an empty one has no limit.
    /// False when that client has too many connections.
    bool assign(const std::string& client) {
        release_client();
        if (client.empty())
            return true;
        auto& count = limiter_->clients_[client];
        client_ = client;
        return ++count <= limiter_->limits_.per_client;
    }
    /// As assign() got it; empty before that.
    const std::string& client() const { return client_; }
    /// The client is idle from now on, unless it already was; then only `evict` is replaced. It
    /// must close the connection and release this slot.
    void mark_idle(std::function<void()> evict) {
        if (idle_)
            (*idle_)->evict = std::move(evict);
        else
            idle_ = insert(limiter_->idle_, std::move(evict));
    }
    /// The client has sent something.
    void mark_active() {
        if (idle_)
            limiter_->idle_.erase(*idle_);
        idle_.reset();
    }
    /// An HTTP response of so many bytes waits for the client from now on. `evict` as for
    /// mark_idle(). False, and it must not be sent: it is not small, and too many bytes wait for
    /// all clients.
    bool begin_response(std::size_t bytes, std::function<void()> evict) {
        end_response();
        set_unsent_bytes(bytes);
        sending_ = insert(limiter_->sending_, std::move(evict));
        while (exceeds_total() && limiter_->evict_slow()) {
        }
        const bool may_send = !exceeds_total();
        if (!may_send)
            end_response();
        return may_send;
    }
    /// The client has taken its response.
    void end_response() {
        if (sending_)
            limiter_->sending_.erase(*sending_);
        sending_.reset();
        set_unsent_bytes(0);
    }
    void set_unsent_bytes(std::size_t bytes) {
        limiter_->unsent_ += bytes - std::exchange(unsent_, bytes);
    }
    /// Whether more bytes wait for the client than the limits allow.
    bool exceeds_send_buffer() const {
        return unsent_ > limiter_->limits_.unsent || exceeds_total();
    }

private:
    using Evictables = ConnectionLimiter::Evictables;

    bool exceeds_total() const {
        const auto& limits = limiter_->limits_;
        return limiter_->unsent_ > limits.unsent_total && unsent_ > limits.unsent / 16;
    }
    static Evictables::iterator insert(Evictables& list, std::function<void()> evict) {
        return list.insert(list.end(), {std::move(evict), ConnectionLimiter::Clock::now()});
    }
    void release_client() {
        const auto found = limiter_->clients_.find(client_);
        if (found != limiter_->clients_.end() && --found->second == 0)
            limiter_->clients_.erase(found);
        client_.clear();
    }

    std::shared_ptr<ConnectionLimiter> limiter_;
    std::string client_;
    std::size_t unsent_ = 0;
    std::optional<Evictables::iterator> idle_;
    std::optional<Evictables::iterator> sending_;
};

}  // namespace uci::net
