#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>

namespace uci::net {

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
            --crowd_->count_;
        }
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        Ticket(Ticket&&) = delete;
        Ticket& operator=(Ticket&&) = delete;

        /// From now on the client is waited for.
        void note_silent(Drop drop) {
            note_speaking();
            silent_ = crowd_->silent_.insert(crowd_->silent_.end(), std::move(drop));
        }
        /// The client has said something.
        void note_speaking() {
            if (silent_)
                crowd_->silent_.erase(*silent_);
            silent_.reset();
        }

    private:
        std::shared_ptr<WebCrowd> crowd_;
        std::optional<std::list<Drop>::iterator> silent_;
    };

    explicit WebCrowd(std::size_t most) : most_{most} {}

    /// A place for another client; nothing when all are taken by those who are being served.
    std::shared_ptr<Ticket> admit() {
        if (count_ >= most_)
            make_room();
        return count_ < most_ ? std::make_shared<Ticket>(shared_from_this()) : nullptr;
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
    std::size_t most_;
    std::size_t count_ = 0;
    std::list<Drop> silent_;  ///< the one first who has been silent for the longest time
};

}  // namespace uci::net
