#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "uci/util/log.hpp"

namespace uci::server {

/// Logs the games of a server that begin and end, and counts them. Belongs to the server's thread.
class GameLog {
public:
    void begun(const std::string& id) {
        ++begun_;
        util::log_info("game begun", {{"game", id}});
    }
    void ended(const std::string& id, std::size_t plies, std::string_view reason) {
        ++ended_;
        util::log_info("game ended", {{"game", id},
                                      {"plies", static_cast<std::int64_t>(plies)},
                                      {"reason", std::string{reason}}});
    }

    std::uint64_t count_begun() const { return begun_; }
    std::uint64_t count_ended() const { return ended_; }

private:
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
};

}  // namespace uci::server
