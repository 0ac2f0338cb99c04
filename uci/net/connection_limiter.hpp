#pragma once

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
    /// Bytes for all clients together. Beyond it, a client is disconnected when it is sent something
    /// and more than 1/16 of `unsent` waits for it.
    std::size_t unsent_total;
    std::size_t per_client = SIZE_MAX;  ///< connections of one client address
};

/// Counts the connections of a server. When the limit is reached, the connection that has been
/// idle for the longest time is closed. Belongs to the server's thread.
class ConnectionLimiter : public std::enable_shared_from_this<ConnectionLimiter> {
public:
    explicit ConnectionLimiter(const ConnectionLimits& limits) : limits_{limits} {}

    /// Whether a client may have another connection: a key as of client_key(), where an empty one has
    /// no limit. To be asked before admit(), which may close somebody else's idle connection.
    bool has_room_for(const std::string& client) const {
        const auto found = clients_.find(client);
        return found == clients_.end() || found->second < limits_.per_client;
    }

    /// A slot for another connection. Null when all slots are taken by active connections.
    std::shared_ptr<ConnectionSlot> admit() {
        if (count_ >= limits_.connections)
            evict_idle();
        return count_ < limits_.connections ? std::make_shared<ConnectionSlot>(shared_from_this())
                                            : nullptr;
    }

    /// Closes the connection that has been idle for the longest time. False when none is idle.
    bool evict_idle() {
        if (idle_.empty())
            return false;
        const auto evict = idle_.front();
        evict();
        return true;
    }

    std::size_t count() const { return count_; }
    /// Connections that evict_idle() would close.
    std::size_t count_idle() const { return idle_.size(); }

private:
    friend class ConnectionSlot;

    ConnectionLimits limits_;
    std::size_t count_ = 0;
    std::size_t unsent_ = 0;
    std::map<std::string, std::size_t> clients_;  ///< how many connections each has
    std::list<std::function<void()>> idle_;       ///< how to evict each, longest idle first
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
        set_unsent_bytes(0);
        --limiter_->count_;
    }
    ConnectionSlot(const ConnectionSlot&) = delete;
    ConnectionSlot& operator=(const ConnectionSlot&) = delete;
    ConnectionSlot(ConnectionSlot&&) = delete;
    ConnectionSlot& operator=(ConnectionSlot&&) = delete;

    /// Says whose connection it is: a key as of client_key(), where an empty one has no limit. False
    /// when that client has too many connections.
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
    /// The client is idle from now on, unless it already was. `evict` must close the connection
    /// and release this slot.
    void mark_idle(std::function<void()> evict) {
        if (!idle_)
            idle_ = limiter_->idle_.insert(limiter_->idle_.end(), std::move(evict));
    }
    /// The client has sent something.
    void mark_active() {
        if (idle_)
            limiter_->idle_.erase(*idle_);
        idle_.reset();
    }
    void set_unsent_bytes(std::size_t bytes) {
        limiter_->unsent_ += bytes - std::exchange(unsent_, bytes);
    }
    /// Whether more bytes wait for the client than the limits allow.
    bool exceeds_send_buffer() const {
        const auto& limits = limiter_->limits_;
        return unsent_ > limits.unsent
            || (limiter_->unsent_ > limits.unsent_total && unsent_ > limits.unsent / 16);
    }

private:
    void release_client() {
        const auto found = limiter_->clients_.find(client_);
        if (found != limiter_->clients_.end() && --found->second == 0)
            limiter_->clients_.erase(found);
        client_.clear();
    }

    std::shared_ptr<ConnectionLimiter> limiter_;
    std::string client_;
    std::size_t unsent_ = 0;
    std::optional<std::list<std::function<void()>>::iterator> idle_;
};

}  // namespace uci::net
