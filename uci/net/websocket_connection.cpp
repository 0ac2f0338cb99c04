#include "uci/net/websocket_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <utility>

namespace uci::net {

namespace {

namespace websocket = boost::beast::websocket;
using boost::beast::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds between_signs{5};
constexpr std::chrono::seconds longest_silence{30};
/// For a good-bye to be returned, after which the connection is cut off.
constexpr std::chrono::seconds longest_good_bye{5};
constexpr std::chrono::seconds longest_handshake{10};

}  // namespace

WebSocketConnection::WebSocketConnection(boost::beast::tcp_stream stream,
                                         std::shared_ptr<Conversation> conversation,
                                         const WebLimits& limits,
                                         std::function<void()> gone)
    : stream_{std::move(stream)},
      timer_{stream_.get_executor()},
      conversation_{std::move(conversation)},
      gone_{std::move(gone)},
      most_unsent_{limits.unsent} {
    stream_.read_message_max(limits.message);
    // Beast counts only messages as signs of life, not the pongs of those who think for long.
    stream_.set_option(
        websocket::stream_base::timeout{longest_handshake, websocket::stream_base::none(), false});
}

void WebSocketConnection::start(const HttpRequest& request) {
    boost::beast::get_lowest_layer(stream_).expires_never();
    stream_.control_callback(
        [this](websocket::frame_type, boost::beast::string_view) { last_heard_ = Clock::now(); });
    stream_.set_option(websocket::stream_base::decorator(
        [conversation = conversation_](websocket::response_type& handshake) {
            conversation->greet(handshake);
        }));
    stream_.async_accept(request, [self = shared_from_this()](const error_code& error) {
        if (error) {
            self->finish();
            return;
        }
        self->open_ = true;
        self->last_heard_ = Clock::now();
        self->keep_alive();
        self->conversation_->begin(self);
        self->listen();
    });
}

void WebSocketConnection::listen() {
    stream_.async_read(buffer_, [self = shared_from_this()](const error_code& error, std::size_t) {
        if (error) {
            self->finish();
            return;
        }
        self->last_heard_ = Clock::now();
        const std::string message = boost::beast::buffers_to_string(self->buffer_.data());
        self->buffer_.consume(self->buffer_.size());
        if (!self->closing_)
            self->conversation_->hear(message);
        self->listen();
    });
}

void WebSocketConnection::keep_alive() {
    timer_.expires_after(between_signs);
    timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
        if (cancelled || self->finished_ || self->closing_)
            return;
        const auto silence = Clock::now() - self->last_heard_;
        if (silence >= longest_silence) {
            self->close();
            return;
        }
        if (silence >= between_signs)
            self->ask_for_sign();
        self->keep_alive();
    });
}

void WebSocketConnection::ask_for_sign() {
    if (std::exchange(asking_, true))
        return;
    stream_.async_ping({},
                       [self = shared_from_this()](const error_code&) { self->asking_ = false; });
}

void WebSocketConnection::send(std::string text) {
    if (!open_ || closing_ || finished_)
        return;
    unsent_bytes_ += text.size();
    unsent_.push_back(std::move(text));
    if (unsent_bytes_ > most_unsent_)
        boost::beast::get_lowest_layer(stream_).close();
    else if (unsent_.size() == 1)
        write();
}

void WebSocketConnection::write() {
    stream_.text(true);
    stream_.async_write(boost::asio::buffer(unsent_.front()),
                        [self = shared_from_this()](const error_code& error, std::size_t) {
                            self->unsent_bytes_ -= self->unsent_.front().size();
                            self->unsent_.pop_front();
                            if (error || self->finished_)
                                return;  // whoever reads finds out
                            if (!self->unsent_.empty())
                                self->write();
                            else if (self->closing_)
                                self->close();
                        });
}

/// What was sent before still arrives, unless the client does not take it in time.
void WebSocketConnection::close() {
    if (!std::exchange(closing_, true))
        await_good_bye();
    if (!open_ || finished_ || !unsent_.empty())
        return;
    open_ = false;
    stream_.async_close(websocket::close_code::normal,
                        [self = shared_from_this()](const error_code&) {});
}

void WebSocketConnection::await_good_bye() {
    timer_.expires_after(longest_good_bye);
    timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
        if (!cancelled && !self->finished_)
            boost::beast::get_lowest_layer(self->stream_).close();
    });
}

void WebSocketConnection::finish() {
    if (std::exchange(finished_, true))
        return;
    timer_.cancel();
    boost::beast::get_lowest_layer(stream_).close();
    stream_.control_callback();
    conversation_->end();
    conversation_.reset();
    gone_();
}

}  // namespace uci::net
