#include "uci/net/cookie.hpp"

#include <algorithm>

namespace uci::net {

std::optional<std::string> read_cookie(std::string_view header, std::string_view name) {
    while (!header.empty()) {
        const auto end = std::min(header.find(';'), header.size());
        auto pair = header.substr(0, end);
        header.remove_prefix(std::min(end + 1, header.size()));
        pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        if (pair.substr(0, equals) != name)
            continue;
        const auto value = pair.substr(std::min(equals + 1, pair.size()));
        return std::string{value.substr(0, value.find_last_not_of(" \t") + 1)};
    }
    return std::nullopt;
}

}  // namespace uci::net
