#include "uci/remote/server_finder.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <thread>
#include <utility>

#include "core/text.hpp"

#include "uci/util/hex.hpp"

namespace uci::remote {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::string_view default_port = "3333";
constexpr std::chrono::milliseconds first_wait{20};
constexpr std::chrono::milliseconds longest_wait{5'000};
/// After a wrong token, which may be sent five times a minute, and after an illegal move.
constexpr std::chrono::milliseconds penalty{15'000};

core::Result<ServerAddress> read_server_address(std::string_view text) {
    const core::Error wrong{core::quoted(text)
                            + " is not a server such as chess.example:3333 or [::1]:3333"};
    ServerAddress server{.host = std::string{text}, .port = std::string{default_port}};
    const auto colon = text.rfind(':');
    const bool is_bracketed = text.starts_with('[');
    const auto bracket = text.find(']');
    if (is_bracketed) {
        if (bracket == std::string_view::npos)
            return wrong;
        server.host = text.substr(1, bracket - 1);
        const auto rest = text.substr(bracket + 1);
        if (!rest.empty() && !rest.starts_with(':'))
            return wrong;
        if (!rest.empty())
            server.port = rest.substr(1);
    }
    else if (colon != std::string_view::npos && text.find(':') == colon) {
        server.host = text.substr(0, colon);
        server.port = text.substr(colon + 1);
    }
    constexpr std::int64_t last_port = 65'535;
    const auto port = core::read_integer(server.port);
    if (server.host.empty() || server.host.find_first_of(" \t/") != std::string::npos || !port
        || *port < 1 || *port > last_port)
        return wrong;
    return server;
}

}  // namespace

std::string ServerAddress::text() const {
    return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

core::Result<std::vector<ServerAddress>> read_server_addresses(std::string_view list) {
    std::vector<ServerAddress> servers;
    std::size_t start = 0;
    while (start <= list.size()) {
        const auto end = std::min(list.find(',', start), list.size());
        auto server = read_server_address(list.substr(start, end - start));
        if (!server)
            return server.error();
        servers.push_back(std::move(*server));
        start = end + 1;
    }
    return servers;
}

ServerFinder::ServerFinder(std::shared_ptr<boost::asio::io_context> io,
                           std::vector<ServerAddress> servers,
                           std::string token,
                           Events events)
    : io_{std::move(io)},
      servers_{std::move(servers)},
      token_{std::move(token)},
      session_key_{util::hex(random_.token())},
      events_{std::move(events)},
      timer_{*io_} {}

void ServerFinder::find(bool in_a_hurry) {
    if (state_ != State::resting)
        return;
    if (in_a_hurry && !is_penalty_)
        failures_ = 0;
    else if (timer_.expiry() > std::chrono::steady_clock::now())
        return;
    timer_.cancel();
    is_penalty_ = false;
    look_up();
}

/// In a thread of its own: the system's look-up may take long and cannot be ended.
void ServerFinder::look_up() {
    state_ = State::looking;
    error_code no_address;
    const auto address = boost::asio::ip::make_address(server().host, no_address);
    const auto port = static_cast<unsigned short>(core::read_integer(server().port).value_or(0));
    if (!no_address) {
        connect(std::vector{tcp::endpoint{address, port}});
        return;
    }
    std::thread{[this, io = io_, server = server(), alive = std::weak_ptr{alive_}] {
        boost::asio::io_context own;
        tcp::resolver resolver{own};
        error_code error;
        const auto found = resolver.resolve(server.host, server.port, error);
        std::vector<tcp::endpoint> endpoints;
        if (!error) {
            for (const auto& entry : found)
                endpoints.push_back(entry.endpoint());
        }
        boost::asio::post(*io, [this, alive, error, endpoints = std::move(endpoints)] {
            if (alive.lock())
                connect(error ? Endpoints{core::Error{error.message()}} : Endpoints{endpoints});
        });
    }}.detach();
}

void ServerFinder::connect(const Endpoints& endpoints) {
    if (state_ != State::looking)
        return;
    if (!endpoints) {
        fail({endpoints.reason()});
        return;
    }
    ServerLink::Events events;
    events.settings = events_.settings;
    events.on_ready = [this](Milliseconds lag) {
        state_ = State::ready;
        failures_ = 0;
        events_.on_ready(server().text(), lag);
    };
    events.on_line = events_.on_line;
    events.on_end = [this](const ServerLink::End& end) {
        link_.reset();
        if (std::exchange(state_, State::resting) == State::looking) {
            fail(end);
            return;
        }
        events_.on_lost(end.reason);
        retry_after(Milliseconds{0});
    };
    link_ = std::make_shared<ServerLink>(
        *io_, ServerLink::Greeting{token_, token_.empty() ? "" : new_nonce(random_), session_key_},
        std::move(events));
    link_->connect(*endpoints);
}

/// The next server at once; after all have failed, a pause.
void ServerFinder::fail(const ServerLink::End& end) {
    state_ = State::resting;
    const auto failed = server().text();
    ++failures_;
    current_ = (current_ + 1) % servers_.size();
    const auto round = failures_ / servers_.size();
    const bool is_end_of_round = failures_ % servers_.size() == 0;
    constexpr std::size_t most_doublings = 8;
    is_penalty_ = is_end_of_round && end.is_token_refused;
    if (is_penalty_)
        retry_after(penalty);
    else if (is_end_of_round)
        retry_after(std::min(longest_wait, first_wait * (1 << std::min(round, most_doublings))));
    else
        retry_after(Milliseconds{0});
    events_.on_missed(failed, end.reason);
}

void ServerFinder::retry_after(Milliseconds delay) {
    timer_.expires_after(delay);
    timer_.async_wait([this, alive = std::weak_ptr{alive_}](const error_code& cancelled) {
        if (cancelled || !alive.lock() || state_ != State::resting || !events_.is_wanted())
            return;
        is_penalty_ = false;
        look_up();
    });
}

void ServerFinder::say(std::string_view line) {
    if (link_ && state_ == State::ready)
        link_->say(line);
}

void ServerFinder::cut(bool lies) {
    if (state_ != State::ready)
        return;
    link_->close();
    link_.reset();
    state_ = State::resting;
    is_penalty_ = lies && servers_.size() == 1;
    if (lies)
        current_ = (current_ + 1) % servers_.size();
    retry_after(is_penalty_ ? penalty : Milliseconds{0});
}

void ServerFinder::close() {
    state_ = State::closed;
    timer_.cancel();
    if (link_)
        link_->close();
    link_.reset();
}

}  // namespace uci::remote
