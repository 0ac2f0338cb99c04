#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "uci/util/log.hpp"

namespace uci::server {

/// Logs the games of a server that begin and end, and counts them. Clients decide how many do, so
/// at most 20 lines a second are logged. Belongs to the server's thread.
class GameLog {
public:
    void begun(const std::string& id) {
        ++begun_;
        if (may_log())
            util::log_info("game begun", {{"game", id}});
    }
    void ended(const std::string& id, std::size_t plies, std::string_view reason) {
        ++ended_;
        if (may_log())
            util::log_info("game ended", {{"game", id},
                                          {"plies", static_cast<std::int64_t>(plies)},
                                          {"reason", std::string{reason}}});
    }

    std::uint64_t count_begun() const { return begun_; }
    std::uint64_t count_ended() const { return ended_; }

private:
    bool may_log() {
        const auto now = std::chrono::steady_clock::now();
        if (now - second_began_ >= std::chrono::seconds{1}) {
            second_began_ = now;
            lines_ = 0;
        }
        return ++lines_ <= 20;
    }

    std::chrono::steady_clock::time_point second_began_;
    int lines_ = 0;
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
};

}  // namespace uci::server
