#include "uci/net/proxies.hpp"

#include <algorithm>
#include <string>

namespace uci::net {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

std::string_view trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

/// An entry of X-Forwarded-For, which some proxies write with the port: 1.2.3.4:567, [::1]:567.
std::optional<ip::address> read_forwarded(std::string_view entry) {
    std::string text{trimmed(entry)};
    if (text.starts_with('['))
        text = text.substr(1, text.find(']') - 1);
    else if (std::count(text.begin(), text.end(), ':') == 1)
        text.resize(text.find(':'));
    error_code error;
    const auto address = ip::make_address(text, error);
    return error ? std::nullopt : std::optional{address};
}

}  // namespace

TrustedProxies::Address TrustedProxies::client_of(const Address& peer,
                                                  std::string_view forwarded_for) const {
    Address client = unmapped(peer);
    // From the end: each proxy appends the address that it was called from.
    while (contains(client) && !forwarded_for.empty()) {
        const auto comma = forwarded_for.rfind(',');
        const auto start = comma == std::string_view::npos ? 0 : comma + 1;
        const auto entry = read_forwarded(forwarded_for.substr(start));
        if (!entry)
            break;
        client = unmapped(*entry);
        forwarded_for = forwarded_for.substr(0, start == 0 ? 0 : comma);
    }
    return client;
}

}  // namespace uci::net
