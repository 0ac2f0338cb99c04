#include "uci/remote/server_link.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "core/text.hpp"

#include "uci/net/keep_alive.hpp"
#include "uci/remote/limits.hpp"

namespace uci::remote {

namespace {

using boost::system::error_code;

constexpr std::chrono::seconds connect_timeout{3};
constexpr std::chrono::seconds greeting_limit{5};
/// For the settings: a large transposition table needs its time.
constexpr std::chrono::seconds settings_limit{60};

}  // namespace

ServerLink::ServerLink(boost::asio::io_context& io, Greeting greeting, Events events)
    : socket_{io},
      timer_{io},
      greeting_{std::move(greeting)},
      events_{std::move(events)} {}

void ServerLink::connect(const std::vector<boost::asio::ip::tcp::endpoint>& endpoints) {
    limit(connect_timeout, "no answer");
    boost::asio::async_connect(
        socket_, endpoints,
        [self = shared_from_this()](const error_code& error,
                                    const boost::asio::ip::tcp::endpoint& /*endpoint*/) {
            if (self->stage_ == Stage::closed)
                return;
            if (error)
                self->end({error.message()});
            else
                self->begin();
        });
}

void ServerLink::begin() {
    error_code ignored;
    socket_.set_option(boost::asio::ip::tcp::no_delay{true}, ignored);
    net::keep_alive(socket_, keep_alive_after);
    limit(greeting_limit, "it accepts connections but does not answer");
    if (greeting_.token.empty()) {
        greet();
    }
    else {
        stage_ = Stage::token;
        handshake_.emplace(greeting_.token, greeting_.nonce);
        say(handshake_->first_line());
    }
    read();
}

/// The settings follow `uci` without waiting for its answer: it saves a way there and back.
void ServerLink::greet() {
    stage_ = Stage::identification;
    // Other engines than Parley ignore the line with the key, as UCI demands of unknown commands.
    say("session " + greeting_.session_key);
    say("uci");
    for (const auto& line : events_.settings())
        say(line);
    say("isready");
}

void ServerLink::read() {
    socket_.async_read_some(
        boost::asio::buffer(chunk_),
        [self = shared_from_this()](const error_code& error, std::size_t size) {
            if (self->stage_ == Stage::closed)
                return;
            if (error) {
                self->end({self->last_info_.empty() ? error.message() : self->last_info_});
                return;
            }
            self->input_.append(self->chunk_.data(), size);
            self->handle_input();
            if (self->stage_ != Stage::closed)
                self->read();
        });
}

void ServerLink::handle_input() {
    std::size_t start = 0;
    for (auto end = input_.find('\n'); end != std::string::npos && stage_ != Stage::closed;
         end = input_.find('\n', start)) {
        handle_line(std::string_view{input_}.substr(start, end - start));
        start = end + 1;
    }
    if (stage_ == Stage::closed)
        return;
    input_.erase(0, start);
    if (input_.size() > max_line)
        end({"it sent a line of more than 1 MiB"});
}

void ServerLink::handle_line(std::string_view line) {
    while (!line.empty() && core::is_blank(line.back()))
        line.remove_suffix(1);
    if (stage_ == Stage::ready)
        events_.on_line(line);
    else if (stage_ == Stage::token)
        handle_token_line(line);
    else
        handle_answer(line);
}

void ServerLink::handle_token_line(std::string_view line) {
    const auto answer = handshake_->receive(line);
    if (!answer)
        end({answer.reason(), true});
    else if (handshake_->is_done())
        greet();
    else
        say(*answer);
}

/// The answers to what greet() has said.
void ServerLink::handle_answer(std::string_view line) {
    constexpr std::string_view info_string = "info string ";
    if (line.starts_with(info_string))
        last_info_ = core::printable(line.substr(info_string.size()));
    if (stage_ == Stage::identification && line == "uciok") {
        stage_ = Stage::settings;
        limit(settings_limit, "it does not become ready");
    }
    else if (stage_ == Stage::settings && line == "readyok") {
        stage_ = Stage::ping;
        limit(greeting_limit, "it does not answer any more");
        asked_at_ = std::chrono::steady_clock::now();
        say("isready");
    }
    else if (stage_ == Stage::ping && line == "readyok") {
        stage_ = Stage::ready;
        timer_.cancel();
        last_info_.clear();
        events_.on_ready(
            std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - asked_at_));
    }
}

void ServerLink::say(std::string_view line) {
    if (stage_ == Stage::closed)
        return;
    unsent_.append(line).append("\n");
    if (sending_.empty())
        write();
}

void ServerLink::write() {
    sending_ = std::exchange(unsent_, {});
    boost::asio::async_write(
        socket_, boost::asio::buffer(sending_),
        [self = shared_from_this()](const error_code& error, std::size_t /*size*/) {
            self->sending_.clear();
            if (self->stage_ == Stage::closed)
                return;
            // A failed write is no reason to end: the read fails too, and knows what the server
            // said.
            if (!error && !self->unsent_.empty())
                self->write();
        });
}

/// Ends the connection unless the present stage is over in time.
void ServerLink::limit(std::chrono::milliseconds time, const char* reason) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this(), reason](const error_code& cancelled) {
        if (!cancelled && self->stage_ != Stage::closed)
            self->end({reason});
    });
}

void ServerLink::end(const End& why) {
    const auto self = shared_from_this();
    close();
    events_.on_end(why);
}

void ServerLink::close() {
    stage_ = Stage::closed;
    error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
}

}  // namespace uci::remote
