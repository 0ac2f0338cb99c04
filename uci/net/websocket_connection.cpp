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

/// What a text that waits takes, its place in the queue included.
std::size_t size_in_memory(const std::string& text) {
    return text.size() + 2 * sizeof(std::string);
}

}  // namespace

WebSocketConnection::WebSocketConnection(boost::beast::tcp_stream stream,
                                         std::shared_ptr<Conversation> conversation,
                                         const WebLimits& limits,
                                         std::shared_ptr<WebCrowd::Ticket> ticket)
    : stream_{std::move(stream)},
      timer_{stream_.get_executor()},
      conversation_{std::move(conversation)},
      ticket_{std::move(ticket)} {
    stream_.read_message_max(limits.message);
    // Beast counts only messages as signs of life, not the pongs of those who think for long.
    stream_.set_option(
        websocket::stream_base::timeout{longest_handshake, websocket::stream_base::none(), false});
}

void WebSocketConnection::start(const HttpRequest& request) {
    boost::beast::get_lowest_layer(stream_).expires_never();
    stream_.control_callback(
        [this](websocket::frame_type, boost::beast::string_view) { note_heard(); });
    stream_.set_option(websocket::stream_base::decorator(
        [conversation = conversation_](websocket::response_type& handshake) {
            conversation->greet(handshake);
        }));
    stream_.async_accept(request, [self = shared_from_this()](const error_code& error) {
        if (error || self->finished_) {
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
        if (error || self->finished_) {
            self->finish();
            return;
        }
        self->note_heard();
        const std::string message = boost::beast::buffers_to_string(self->buffer_.data());
        self->buffer_.consume(self->buffer_.size());
        if (!self->closing_)
            self->conversation_->hear(message);
        self->listen();
    });
}

void WebSocketConnection::note_heard() {
    last_heard_ = Clock::now();
    if (!closing_)
        ticket_->note_speaking();
}

/// From now on its place is for others, if they need it.
void WebSocketConnection::note_silent() {
    ticket_->note_silent([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->finish();
    });
}

void WebSocketConnection::note_unsent(std::size_t bytes) {
    unsent_bytes_ = bytes;
    ticket_->note_unsent(bytes);
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
        if (silence >= 2 * between_signs)
            self->note_silent();
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
    note_unsent(unsent_bytes_ + size_in_memory(text));
    unsent_.push_back(std::move(text));
    if (ticket_->is_too_slow())
        boost::beast::get_lowest_layer(stream_).close();
    else if (unsent_.size() == 1)
        write();
}

void WebSocketConnection::write() {
    stream_.text(true);
    stream_.async_write(
        boost::asio::buffer(unsent_.front()),
        [self = shared_from_this()](const error_code& error, std::size_t) {
            if (error || self->finished_)
                return;  // whoever reads finds out
            self->note_unsent(self->unsent_bytes_ - size_in_memory(self->unsent_.front()));
            self->unsent_.pop_front();
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
    if (!finished_)
        note_silent();
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
    ticket_.reset();
}

}  // namespace uci::net
