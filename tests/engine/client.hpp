#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "core/movegen.hpp"
#include "core/notation.hpp"

#include "engine/general_interface.hpp"

#include "tests/catch.hpp"

namespace tests {

/// The responses of one search, from the first report to the best move.
struct Answer {
    std::vector<engine::Info> infos;
    engine::BestMove best;

    /// The last report on the first pv.
    const engine::Info& last() const {
        for (std::size_t i = infos.size(); i-- > 0;) {
            if (infos[i].multipv == 1)
                return infos[i];
        }
        FAIL("there was no report");
        return infos.front();
    }
    std::string move() const {
        using core::CastlingStyle;
        return best.move ? core::to_uci(*best.move, CastlingStyle::king_moves_two) : "(none)";
    }
};

/// An engine and a thread that reads its responses all the time. A response that does not come
/// fails the test instead of blocking it.
class Client {
public:
    static constexpr std::chrono::seconds patience{60};

    Client() : listener_{[this] { listen(); }} {}
    ~Client() {
        engine_.quit();
        listener_.join();
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(Client&&) = delete;

    engine::GeneralInterface& engine() { return engine_; }

    /// The next response; nothing when the engine has ended.
    std::optional<engine::Response> next() {
        std::unique_lock lock{mutex_};
        const bool in_time =
            heard_.wait_for(lock, patience, [&] { return ended_ || !responses_.empty(); });
        if (!in_time)
            FAIL("the engine is silent");
        if (responses_.empty())
            return std::nullopt;
        auto response = std::move(responses_.front());
        responses_.pop_front();
        return response;
    }

    /// The next response of a kind; what comes before is skipped.
    template <typename Kind>
    Kind next_of() {
        while (auto response = next()) {
            if (auto* wanted = std::get_if<Kind>(&*response))
                return std::move(*wanted);
        }
        FAIL("the engine ended without the response");
        return Kind{};
    }

    /// Everything up to the next best move.
    Answer answer() {
        Answer result;
        while (auto response = next()) {
            if (auto* info = std::get_if<engine::Info>(&*response))
                result.infos.push_back(std::move(*info));
            if (auto* best = std::get_if<engine::BestMove>(&*response)) {
                result.best = *best;
                return result;
            }
        }
        FAIL("the engine ended without a best move");
        return result;
    }

    Answer search(engine::Limits limits) {
        engine_.go(std::move(limits));
        return answer();
    }
    Answer search(const char* fen, engine::Limits limits) {
        engine_.set_game(fen, {});
        return search(std::move(limits));
    }

    /// All responses until all commands are handled and no search is running.
    std::vector<engine::Response> until_idle() {
        engine_.wait_until_idle();
        engine_.sync(idle_marker);
        std::vector<engine::Response> result;
        while (auto response = next()) {
            const auto* marker = std::get_if<engine::Synced>(&*response);
            if (marker && marker->id == idle_marker)
                break;
            result.push_back(std::move(*response));
        }
        return result;
    }

private:
    static constexpr std::uint64_t idle_marker = 1'000'000;

    void listen() {
        while (auto response = engine_.next_response()) {
            const std::lock_guard lock{mutex_};
            responses_.push_back(*std::move(response));
            heard_.notify_all();
        }
        const std::lock_guard lock{mutex_};
        ended_ = true;
        heard_.notify_all();
    }

    engine::GeneralInterface engine_;
    std::mutex mutex_;
    std::condition_variable heard_;
    std::deque<engine::Response> responses_;
    bool ended_ = false;
    std::thread listener_;
};

template <typename Kind>
int count_of(const std::vector<engine::Response>& responses) {
    int count = 0;
    for (const auto& response : responses)
        count += std::holds_alternative<Kind>(response) ? 1 : 0;
    return count;
}

/// Whether each move of a line is legal after those before it.
inline bool is_legal_line(core::Position position, const std::vector<core::Move>& line) {
    for (const core::Move move : line) {
        if (!core::is_legal(position, move))
            return false;
        position = position.after(move);
    }
    return true;
}

inline engine::Limits to_depth(int depth) {
    engine::Limits limits;
    limits.depth = depth;
    return limits;
}

inline engine::Limits to_nodes(std::uint64_t nodes) {
    engine::Limits limits;
    limits.nodes = nodes;
    return limits;
}

inline engine::Limits without_end() {
    engine::Limits limits;
    limits.infinite = true;
    return limits;
}

inline engine::Limits pondering(engine::Limits limits = {}) {
    limits.ponder = true;
    return limits;
}

}  // namespace tests
