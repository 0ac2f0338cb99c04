#include "uci/util/file_limits.hpp"

#include <algorithm>

#if !defined(_WIN32)
#include <sys/resource.h>
#endif

namespace uci::util {

#if defined(_WIN32)

std::size_t raise_file_descriptor_limit(std::size_t wanted) {
    return wanted;
}

#else

std::size_t raise_file_descriptor_limit(std::size_t wanted) {
    // Standard streams, listeners, a store and files opened by libraries.
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

}  // namespace uci::util
