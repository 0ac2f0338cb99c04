#include "uci/store/redis_subscriber.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <hiredis/hiredis.h>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "uci/store/redis_connection.hpp"
#include "uci/store/redis_store.hpp"
#include "uci/util/log.hpp"

namespace uci::store {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// For connecting, and between a ping and any reply.
constexpr std::chrono::seconds idle_timeout{5};
constexpr std::chrono::milliseconds reconnect_delay{500};

}  // namespace

void RedisSubscriber::FreeReader::operator()(redisReader* reader) const {
    redisReaderFree(reader);
}

RedisSubscriber::RedisSubscriber(boost::asio::io_context& io,
                                 const RedisConfig& config,
                                 Handlers handlers)
    : address_{config.address},
      own_name_{config.sender},
      handlers_{std::move(handlers)},
      resolver_{io},
      socket_{io},
      timer_{io} {}

RedisSubscriber::~RedisSubscriber() = default;

void RedisSubscriber::connect() {
    start_keepalive();
    resolver_.async_resolve(
        address_.host, std::to_string(address_.port),
        [this](const error_code& error, const tcp::resolver::results_type& found) {
            if (error == boost::asio::error::operation_aborted || closed_)
                return;
            if (error)
                return reconnect();
            boost::asio::async_connect(
                socket_, found, [this](const error_code& failure, const tcp::endpoint&) {
                    if (failure == boost::asio::error::operation_aborted || closed_)
                        return;
                    if (failure)
                        return reconnect();
                    start_tls();
                });
        });
}

/// Begins TLS, if that is wanted, and then the conversation.
void RedisSubscriber::start_tls() {
    if (!address_.tls)
        return subscribe();
    auto tls = RedisTls::start(socket_.native_handle(), address_.host, *address_.tls);
    if (!tls) {
        log_refusal(tls.reason());
        return reconnect();
    }
    tls_ = std::move(*tls);
    shake_hands();
}

void RedisSubscriber::shake_hands() {
    const auto progress = tls_->handshake();
    if (!progress) {
        log_refusal(progress.reason());
        return reconnect();
    }
    if (progress->state == RedisTls::State::done)
        return subscribe();
    when_ready(progress->state, &RedisSubscriber::shake_hands);
}

/// Calls a function when the socket can be read or written.
void RedisSubscriber::when_ready(RedisTls::State state, void (RedisSubscriber::*next)()) {
    const auto event =
        state == RedisTls::State::wants_write ? tcp::socket::wait_write : tcp::socket::wait_read;
    socket_.async_wait(event, [this, next](const error_code& error) {
        // Without TLS the connection has ended since.
        if (error == boost::asio::error::operation_aborted || closed_ || !tls_)
            return;
        if (error)
            return reconnect();
        (this->*next)();
    });
}

void RedisSubscriber::subscribe() {
    reader_.reset(redisReaderCreate());
    std::vector<std::vector<std::string>> commands{{"SUBSCRIBE", channel_of(address_)}};
    if (const auto login = login_command(address_); !login.empty())
        commands.insert(commands.begin(), login);
    send(commands);
    read();
}

/// Sends commands. Drops them if the last have not gone out yet: then Redis does not answer, and
/// start_keepalive() reconnects.
void RedisSubscriber::send(const std::vector<std::vector<std::string>>& commands) {
    if (std::exchange(sending_, true))
        return;
    sent_.clear();
    for (const auto& arguments : commands) {
        sent_ += fmt::format("*{}\r\n", arguments.size());
        for (const auto& argument : arguments)
            sent_ += fmt::format("${}\r\n{}\r\n", argument.size(), argument);
    }
    sent_size_ = 0;
    if (tls_)
        return write_over_tls();
    boost::asio::async_write(socket_, boost::asio::buffer(sent_),
                             [this](const error_code&, std::size_t) { sending_ = false; });
}

void RedisSubscriber::write_over_tls() {
    while (sent_size_ < sent_.size()) {
        const auto progress = tls_->write(std::string_view{sent_}.substr(sent_size_));
        if (!progress)
            return;  // reading notices it too
        if (progress->state != RedisTls::State::done)
            return when_ready(progress->state, &RedisSubscriber::write_over_tls);
        sent_size_ += progress->size;
    }
    sending_ = false;
}

void RedisSubscriber::read_over_tls() {
    const auto progress = tls_->read(chunk_);
    if (!progress)
        return reconnect();
    if (progress->state != RedisTls::State::done)
        return when_ready(progress->state, &RedisSubscriber::read_over_tls);
    if (!handle_bytes(progress->size))
        return reconnect();
    // TLS may have more, of which the socket knows nothing. Others have their turn before.
    boost::asio::post(socket_.get_executor(), [this] {
        if (!closed_ && tls_)
            read_over_tls();
    });
}

void RedisSubscriber::read() {
    if (tls_)
        return read_over_tls();
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [this](const error_code& error, std::size_t size) {
                                if (error == boost::asio::error::operation_aborted || closed_)
                                    return;
                                if (error)
                                    return reconnect();
                                if (handle_bytes(size))
                                    read();
                                else
                                    reconnect();
                            });
}

/// Handles the first bytes of chunk_. False: as handle_replies().
bool RedisSubscriber::handle_bytes(std::size_t size) {
    received_ = true;
    redisReaderFeed(reader_.get(), chunk_.data(), size);
    return handle_replies();
}

/// False: Redis sent something that is not its protocol, or an error.
bool RedisSubscriber::handle_replies() {
    while (true) {
        void* raw = nullptr;
        if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK)
            return false;
        if (!raw)
            return true;
        const std::unique_ptr<redisReply, void (*)(void*)> reply{static_cast<redisReply*>(raw),
                                                                 freeReplyObject};
        if (reply->type == REDIS_REPLY_ERROR) {
            log_refusal(text_of(*reply));
            return false;
        }
        if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 3)
            continue;
        if (text_of(*reply->element[0]) == "subscribe")
            handlers_.on_resync();
        else if (text_of(*reply->element[0]) == "message")
            handle_change(std::string{text_of(*reply->element[2])});
    }
}

/// Redis refuses the login or the subscription, or TLS fails, so changes by others are not heard
/// of.
void RedisSubscriber::log_refusal(std::string_view reason) {
    const auto line = refusals_.line(reason, std::chrono::steady_clock::now());
    if (line)
        util::log_error("store: other servers' changes: Redis: " + *line);
}

void RedisSubscriber::handle_change(const std::string& message) {
    const auto blank = message.find(' ');
    if (blank == std::string::npos || message.substr(0, blank) == own_name_)
        return;
    handlers_.on_message(message.substr(blank + 1));
}

/// Pings Redis at every idle_timeout; reconnects when nothing arrived since the last ping.
void RedisSubscriber::start_keepalive() {
    received_ = false;
    timer_.expires_after(idle_timeout);
    timer_.async_wait([this](const error_code& cancelled) {
        if (cancelled || closed_)
            return;
        if (!received_)
            return reconnect();
        send({{"PING"}});
        start_keepalive();
    });
}

void RedisSubscriber::reconnect() {
    resolver_.cancel();
    tls_.reset();
    error_code ignored;
    socket_.close(ignored);
    sending_ = false;
    timer_.expires_after(reconnect_delay);
    timer_.async_wait([this](const error_code& cancelled) {
        if (!cancelled && !closed_)
            connect();
    });
}

void RedisSubscriber::close() {
    closed_ = true;
    resolver_.cancel();
    timer_.cancel();
    tls_.reset();
    error_code ignored;
    socket_.close(ignored);
}

}  // namespace uci::store
