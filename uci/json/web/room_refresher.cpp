#include "uci/json/web/room_refresher.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "uci/json/web/limits.hpp"
#include "uci/util/log.hpp"

namespace uci::json::web {

void RoomRefresher::add(const std::string& id, Cause cause) {
    auto& known = waiting_.emplace(id, cause).first->second;
    known = std::max(known, cause);
    read_next();
}

void RoomRefresher::retry() {
    for (const auto& [id, cause] : std::exchange(failed_, {}))
        add(id, cause);
}

void RoomRefresher::read_next() {
    while (reading_ < max_refreshes && !waiting_.empty()) {
        const auto [id, cause] = *waiting_.begin();
        waiting_.erase(waiting_.begin());
        ++reading_;
        store_.find(id,
                    [this, id = id, cause = cause](const core::Result<RoomStore::Found>& found) {
                        --reading_;
                        if (found) {
                            on_read_(id, cause, *found);
                        }
                        else {
                            log_failure(id, found.reason());
                            failed_.emplace(id, cause);
                        }
                        read_next();
                    });
    }
}

void RoomRefresher::log_failure(const std::string& id, std::string_view reason) {
    const auto text = "game " + id + " cannot be read again: " + std::string{reason};
    if (const auto line = failures_.line(text, std::chrono::steady_clock::now()))
        util::log_error(*line);
}

}  // namespace uci::json::web
