#include "uci/remote/listen.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>

#include "uci/command_line.hpp"
#include "uci/net/listener.hpp"
#include "uci/net/networks.hpp"
#include "uci/net/origin.hpp"
#include "uci/remote/listen_server.hpp"
#include "uci/remote/token_file.hpp"
#include "uci/util/log.hpp"
#include "uci/util/platform.hpp"

namespace uci::remote {

namespace {

constexpr std::size_t short_token = 16;

/// Whether only this machine can reach a list of addresses that has been checked.
bool is_local(const std::string& addresses) {
    std::size_t start = 0;
    while (start < addresses.size()) {
        const auto end = std::min(addresses.find(',', start), addresses.size());
        boost::system::error_code error;
        const auto address =
            boost::asio::ip::make_address(addresses.substr(start, end - start), error);
        if (error || !address.is_loopback())
            return false;
        start = end + 1;
    }
    return true;
}

void add_options(CommandLine& line, ListenOptions& options, std::string& syzygy) {
    auto& settings = options.settings;
    line.number("-p,--port", options.port, 0, 65'535, "Port to listen on; 0 takes a free one");
    line.text(
        "--bind", options.addresses, "ADDRESSES",
        "Addresses to listen on, separated by commas: 0.0.0.0,:: for all, which needs a token "
        "or --allow. Without it 127.0.0.1,::1, which only this machine can reach",
        net::check_addresses);
    line.texts("--allow", options.allowed, "NETWORK",
               "Accept clients of this address or network only, such as 192.168.1.0/24; may be "
               "repeated, or several with commas between them",
               net::check_network);
    line.number("--sessions", options.sessions, 1, 1'000, "Clients that may play at once");
    line.number("--max-threads", settings.machine.threads, 1, 1'024,
                "Most search threads of a client");
    line.number("--max-hash", settings.machine.hash, 1, 1'048'576,
                "Largest transposition table of a client in MB");
    add_syzygy_option(line, syzygy);
    line.texts("--origin", options.origins, "URL",
               "A web site whose pages may open the WebSocket, as https://chess.example; may be "
               "repeated",
               net::check_origin);
    add_log_options(line, options.log);
}

}  // namespace

int listen(std::span<const std::string> arguments, const DialectInfo& dialect) {
    ListenOptions options;
    TokenOptions token_options;
    std::string syzygy;
    auto idle = options.settings.idle.count();
    options.settings.machine.threads = util::usable_processors();
    CommandLine line{
        "listen",
        "Lets chess programs on other machines use this machine's engine: UCI over TCP, "
        "as DroidFish speaks it, and over a WebSocket (/uci) on the same port."};
    add_options(line, options, syzygy);
    add_token_options(line, token_options);
    line.number(
        "--idle", idle, 1, 86'400,
        "Seconds without a command and without a search after which a client is disconnected");
    if (const auto status = line.parse(arguments))
        return *status;
    const auto token = read_token(token_options);
    if (!token)
        return line.refuse(token.reason());
    if (!is_local(options.addresses) && token->empty() && options.allowed.empty())
        return line.refuse(
            "--bind lets other machines use this engine: add --token-file, or --allow with the "
            "networks of your clients");
    const auto tablebases = open_tablebases(syzygy);
    if (!tablebases)
        return log_failure(tablebases.reason());
    if (!token->empty() && token->size() < short_token)
        util::log_info("the token is short: whoever overhears a connection can guess it");
    options.settings.token = *token;
    options.settings.idle = std::chrono::seconds{idle};
    if (!syzygy.empty())
        options.settings.options.push_back({"SyzygyPath", syzygy});
    return run_listen_server(options, dialect);
}

}  // namespace uci::remote
