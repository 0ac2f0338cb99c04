#include "uci/remote/remote_client.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

#include "uci/net/networks.hpp"
#include "uci/util/log.hpp"

namespace uci::remote {

namespace {

/// How often the limits of time are checked.
constexpr std::chrono::milliseconds watch_interval{250};
constexpr std::size_t max_key = 64;

std::string_view first_word(std::string_view line) {
    return core::Words{line}.peek().value_or("");
}

/// The key of a line "session KEY"; nothing if it is another line.
std::optional<std::string> read_session_key(std::string_view line) {
    core::Words words{line};
    if (words.next() != "session")
        return std::nullopt;
    const auto key = words.next();
    return key && key->size() <= max_key && !words.next() ? std::optional<std::string>{*key}
                                                          : std::nullopt;
}

}  // namespace

RemoteClient::RemoteClient(SessionHost& host, const boost::asio::ip::address& address)
    : host_{host},
      address_{net::unmapped(address).to_string()},
      stage_{host.settings().token.empty() ? Stage::greeting : Stage::authenticating},
      filter_{host.settings().machine},
      timer_{host.io()} {
    if (stage_ == Stage::authenticating)
        handshake_.emplace(host.settings().token, host.new_nonce());
}

void RemoteClient::open(std::shared_ptr<Wire> wire) {
    wire_ = std::move(wire);
    watch();
}

void RemoteClient::on_line(std::string_view line) {
    switch (stage_) {
        case Stage::authenticating: authenticate(line); break;
        case Stage::greeting: greet(line); break;
        case Stage::playing: play(line); break;
        case Stage::closing:
        case Stage::closed: break;
    }
}

void RemoteClient::authenticate(std::string_view line) {
    using Verdict = ServerHandshake::Verdict;
    if (first_word(line).empty())
        return;
    if (handshake_->awaits_proof() && host_.wrong_tokens().is_blocked(address_, Clock::now())) {
        refuse("too many wrong tokens came from this address; try again in a minute",
               refusal_delay);
        return;
    }
    const auto step = handshake_->receive(line);
    switch (step.verdict) {
        case Verdict::go_on: send(step.answer); break;
        case Verdict::accepted:
            send(step.answer);
            stage_ = Stage::greeting;
            break;
        case Verdict::wrong_token: refuse_token(); break;
        case Verdict::no_token:
            util::log_info("client without a token", {{"client", address_}});
            refuse("this engine needs a token: parley connect with --token-file sends it",
                   refusal_delay);
            break;
    }
}

void RemoteClient::refuse_token() {
    util::log_info("wrong token", {{"client", address_}});
    host_.wrong_tokens().note(address_, Clock::now());
    refuse("the token is wrong", refusal_delay);
}

/// The first command begins the session.
void RemoteClient::greet(std::string_view line) {
    const auto word = first_word(line);
    if (word.empty())
        return;
    if (const auto key = read_session_key(line)) {
        key_.clear();
        host_.end_session_of(*key);
        key_ = *key;
        return;
    }
    if (word == auth_word) {
        refuse("this engine has no token", farewell_delay);
        return;
    }
    session_ = host_.begin_session(shared_from_this());
    if (!session_) {
        util::log_info("busy", {{"client", address_}});
        refuse("busy: all sessions of this engine are taken; try again later", farewell_delay);
        return;
    }
    util::log_info("session begins", {{"client", address_}});
    stage_ = Stage::playing;
    wire_->keep();
    play(line);
}

void RemoteClient::play(std::string_view line) {
    last_activity_ = Clock::now();
    auto filtered = filter_.filter(line);
    if (filtered.quits) {
        close("quit");
        return;
    }
    if (!filtered.note.empty())
        send("info string " + filtered.note);
    if (filtered.line.empty() || stage_ != Stage::playing)
        return;
    if (first_word(filtered.line) == "go")
        ++searches_;
    session_->say(std::move(filtered.line));
    if (session_->unread_bytes() > max_unread_input)
        refuse("commands come faster than they can be handled", farewell_delay);
}

void RemoteClient::on_engine_line(const std::string& line) {
    if (stage_ != Stage::playing)
        return;
    if (first_word(line) == "bestmove") {
        searches_ = std::max(0, searches_ - 1);
        last_activity_ = Clock::now();
    }
    if (auto answer = filter_.filter_answer(line))
        send(*std::move(answer));
}

void RemoteClient::send(std::string line) {
    if (stage_ == Stage::closed)
        return;
    unsent_.add(std::move(line));
    if (unsent_.is_over_limit())
        close("it does not read its answers");
    else
        flush();
}

void RemoteClient::flush() {
    if (is_sending_ || !wire_)
        return;
    if (auto line = unsent_.take()) {
        is_sending_ = true;
        sending_since_ = Clock::now();
        wire_->send(*std::move(line));
    }
}

void RemoteClient::on_sent() {
    is_sending_ = false;
    if (stage_ != Stage::closed)
        flush();
}

void RemoteClient::refuse(const std::string& reason, std::chrono::milliseconds delay) {
    if (stage_ == Stage::closing || stage_ == Stage::closed)
        return;
    // The engine stops at once; only the connection stays until the client has read why.
    if (session_)
        session_->end();
    send("info string " + reason);
    if (stage_ == Stage::closed)
        return;
    stage_ = Stage::closing;
    timer_.expires_after(delay);
    timer_.async_wait(
        [self = shared_from_this(), reason](const boost::system::error_code& cancelled) {
            if (!cancelled)
                self->close(reason);
        });
}

void RemoteClient::close(std::string_view reason) {
    if (stage_ == Stage::closed)
        return;
    if (session_)
        util::log_info("session ends", {{"client", address_}, {"reason", std::string{reason}}});
    stage_ = Stage::closed;
    timer_.cancel();
    if (const auto session = std::exchange(session_, nullptr))
        session->end();
    const auto self = shared_from_this();
    if (const auto wire = std::exchange(wire_, nullptr))
        wire->close();
    host_.remove(*this);
}

void RemoteClient::on_closed() {
    close("the connection has ended");
}

void RemoteClient::watch() {
    timer_.expires_after(watch_interval);
    timer_.async_wait([self = shared_from_this()](const boost::system::error_code& cancelled) {
        if (cancelled || self->stage_ == Stage::closing || self->stage_ == Stage::closed)
            return;
        if (const auto reason = self->overdue())
            self->refuse(std::string{*reason}, farewell_delay);
        else
            self->watch();
    });
}

std::optional<std::string_view> RemoteClient::overdue() const {
    const auto now = Clock::now();
    if (is_sending_ && now - sending_since_ > write_timeout)
        return "the client does not read its answers";
    const bool plays = stage_ == Stage::playing;
    if (!plays && now - last_activity_ > greeting_timeout)
        return "no command came";
    if (plays && searches_ == 0 && now - last_activity_ > host_.settings().idle)
        return "idle: no command came for too long";
    return std::nullopt;
}

}  // namespace uci::remote
