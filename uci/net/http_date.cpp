#include "uci/net/http_date.hpp"

#include <chrono>

#include <fmt/chrono.h>

namespace uci::net {

std::string http_date() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(now));
}

}  // namespace uci::net
