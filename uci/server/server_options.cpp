#include "uci/server/server_options.hpp"

#include "uci/net/listener.hpp"

namespace uci::server {

namespace {

std::optional<core::Error> check_origin(const std::string& text) {
    const auto origin = net::read_origin(text);
    return origin ? std::nullopt : std::optional{origin.error()};
}

}  // namespace

void add_server_options(CommandLine& line, ServerSettings& settings, int least_port) {
    line.number("-p,--port", settings.port, least_port, 65'535,
                least_port == 0 ? "Port to listen on; 0 takes a free one" : "Port to listen on");
    line.text("--bind", settings.addresses, "ADDRESSES",
              "Addresses to listen on, separated by commas: 0.0.0.0,:: for all. "
              "Without it 127.0.0.1,::1, which only this machine can reach",
              net::check_addresses);
    line.texts("--origin", settings.origins, "URL",
               "Where browsers find this server, as https://chess.example, if not by localhost or "
               "an IP address; may be repeated",
               check_origin);
    line.texts(
        "--trust-proxy", settings.proxies, "ADDRESS",
        "A reverse proxy, or a network of them such as 10.0.0.0/8, whose X-Forwarded-For and "
        "X-Forwarded-Proto are believed; may be repeated",
        net::check_proxy);
    line.log_level();
    add_engine_options(line, settings.engine);
}

std::vector<net::Origin> origins_of(const ServerSettings& settings) {
    std::vector<net::Origin> origins;
    for (const auto& text : settings.origins) {
        if (const auto origin = net::read_origin(text))
            origins.push_back(*origin);
    }
    return origins;
}

net::TrustedProxies proxies_of(const ServerSettings& settings) {
    net::TrustedProxies proxies;
    for (const auto& text : settings.proxies)
        proxies.add(text);
    return proxies;
}

}  // namespace uci::server
