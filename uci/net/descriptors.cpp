#include "uci/net/descriptors.hpp"

#include <algorithm>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

namespace uci::net {

#if defined(_WIN32)

std::size_t allow_connections(std::size_t wanted) {
    return wanted;
}

#else

std::size_t allow_connections(std::size_t wanted) {
    // For standard streams, listeners, a store and what libraries open.
    constexpr std::size_t other_files = 64;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < wanted + other_files) {
        limit.rlim_cur = std::min<rlim_t>(wanted + other_files, limit.rlim_max);
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    const auto files = static_cast<std::size_t>(limit.rlim_cur);
    return std::min(wanted, files > 2 * other_files ? files - other_files : files / 2);
}

#endif

}  // namespace uci::net
