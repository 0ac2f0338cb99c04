#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>

namespace uci::net {

/// How many there may be, and how many bytes may wait for the slow ones among them.
struct CrowdLimits {
    std::size_t clients;
    std::size_t unsent;         ///< to one
    std::size_t unsent_of_all;  ///< then those are too slow who have much more than others
};

/// Counts those who are connected to a server. When there are as many as there may be, the one
/// goes who has said nothing for the longest time. Belongs to the server's thread.
class WebCrowd : public std::enable_shared_from_this<WebCrowd> {
public:
    /// Sends a client away, who gives back its ticket then.
    using Drop = std::function<void()>;

    /// A client's place, as long as it lives.
    class Ticket {
    public:
        explicit Ticket(std::shared_ptr<WebCrowd> crowd) : crowd_{std::move(crowd)} {
            ++crowd_->count_;
        }
        ~Ticket() {
            note_speaking();
            note_unsent(0);
            --crowd_->count_;
        }
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        Ticket(Ticket&&) = delete;
        Ticket& operator=(Ticket&&) = delete;

        /// From now on, if not already, the client is waited for.
        void note_silent(Drop drop) {
            if (!silent_)
                silent_ = crowd_->silent_.insert(crowd_->silent_.end(), std::move(drop));
        }
        /// The client has said something.
        void note_speaking() {
            if (silent_)
                crowd_->silent_.erase(*silent_);
            silent_.reset();
        }
        /// So many bytes wait for the client now.
        void note_unsent(std::size_t bytes) {
            crowd_->unsent_ += bytes - std::exchange(unsent_, bytes);
        }
        /// Whether more wait for the client than may.
        bool is_too_slow() const {
            const auto& limits = crowd_->limits_;
            return unsent_ > limits.unsent
                || (crowd_->unsent_ > limits.unsent_of_all && unsent_ > limits.unsent / 16);
        }

    private:
        std::shared_ptr<WebCrowd> crowd_;
        std::size_t unsent_ = 0;
        std::optional<std::list<Drop>::iterator> silent_;
    };

    explicit WebCrowd(const CrowdLimits& limits) : limits_{limits} {}

    /// A place for another client; nothing when all are taken by those who are being served.
    std::shared_ptr<Ticket> admit() {
        if (count_ >= limits_.clients)
            make_room();
        return count_ < limits_.clients ? std::make_shared<Ticket>(shared_from_this()) : nullptr;
    }

    /// Sends the one away who has been silent for the longest time; false when nobody is silent.
    bool make_room() {
        if (silent_.empty())
            return false;
        const Drop drop = silent_.front();
        drop();
        return true;
    }

private:
    CrowdLimits limits_;
    std::size_t count_ = 0;
    std::size_t unsent_ = 0;
    std::list<Drop> silent_;  ///< the one first who has been silent for the longest time
};

}  // namespace uci::net
