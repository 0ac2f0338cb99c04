#include "uci/net/websocket_connection.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <utility>

#include "uci/util/log.hpp"

namespace uci::net {

namespace {

namespace websocket = boost::beast::websocket;
using boost::beast::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds ping_interval{5};
/// A client from which nothing has come for so long, not even a pong, is gone.
constexpr std::chrono::seconds pong_timeout{30};
/// For the client to answer a close frame, before the connection is cut.
constexpr std::chrono::seconds close_frame_timeout{5};
constexpr std::chrono::seconds handshake_timeout{10};

/// Memory that a queued text takes, its place in the queue included.
std::size_t size_in_memory(const std::string& text) {
    return text.size() + 2 * sizeof(std::string);
}

}  // namespace

WebSocketConnection::WebSocketConnection(boost::beast::tcp_stream stream,
                                         std::shared_ptr<WebSocketHandler> handler,
                                         const HttpContext& context,
                                         std::shared_ptr<ConnectionSlot> slot)
    : stream_{HandshakeStream{std::move(stream)}},
      timer_{stream_.get_executor()},
      handler_{std::move(handler)},
      state_{context.state},
      slot_{std::move(slot)},
      idle_timeout_{context.limits.websocket_idle_timeout} {
    ++state_->statistics.websockets;
    stream_.read_message_max(context.limits.message);
    // Beast's own idle timeout ignores pongs, so it would cut clients that only listen.
    stream_.set_option(
        websocket::stream_base::timeout{handshake_timeout, websocket::stream_base::none(), false});
}

void WebSocketConnection::start(const HttpRequest& request) {
    client_ = request.client.to_string();
    boost::beast::get_lowest_layer(stream_).expires_never();
    stream_.control_callback(
        [this](websocket::frame_type, boost::beast::string_view) { note_pong(); });
    stream_.set_option(websocket::stream_base::decorator(
        [handler = handler_](websocket::response_type& handshake) {
            handler->on_handshake(handshake);
        }));
    stream_.async_accept(request, [self = shared_from_this()](const error_code& error) {
        if (error || self->finished_) {
            self->finish();
            return;
        }
        self->open_ = true;
        self->last_activity_ = self->last_message_ = Clock::now();
        self->keep_alive();
        self->guarded([&] { self->handler_->on_open(self); });
        self->read();
    });
}

/// Calls the handler. If it throws, the connection is closed and the exception passed on.
template <typename Call>
void WebSocketConnection::guarded(Call call) {
    try {
        call();
    }
    catch (...) {
        finish();
        throw;
    }
}

void WebSocketConnection::read() {
    stream_.async_read(buffer_, [self = shared_from_this()](const error_code& error, std::size_t) {
        if (error || self->finished_) {
            self->finish();
            return;
        }
        self->note_message();
        const std::string message = boost::beast::buffers_to_string(self->buffer_.data());
        self->buffer_.consume(self->buffer_.size());
        if (!self->closing_)
            self->guarded([&] { self->handler_->on_message(message); });
        self->read();
    });
}

void WebSocketConnection::note_message() {
    ++messages_;
    last_activity_ = last_message_ = Clock::now();
    if (!closing_ && !evictable_)
        slot_->mark_active();
}

void WebSocketConnection::note_pong() {
    last_activity_ = Clock::now();
    if (!closing_ && !evictable_ && last_activity_ - last_message_ < idle_timeout_)
        slot_->mark_active();
}

void WebSocketConnection::set_evictable(bool evictable) {
    if (closing_ || finished_)
        return;
    evictable_ = evictable;
    if (evictable)
        mark_idle();
    else
        slot_->mark_active();
}

/// Lets the limiter close this connection when it needs the slot.
void WebSocketConnection::mark_idle() {
    slot_->mark_idle([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->finish();
    });
}

void WebSocketConnection::set_unsent_bytes(std::size_t bytes) {
    unsent_bytes_ = bytes;
    slot_->set_unsent_bytes(bytes);
}

void WebSocketConnection::keep_alive() {
    timer_.expires_after(std::min<std::chrono::milliseconds>(ping_interval, idle_timeout_));
    timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
        if (cancelled || self->finished_ || self->closing_)
            return;
        const auto silence = Clock::now() - self->last_activity_;
        if (silence >= pong_timeout) {
            self->close();
            return;
        }
        if (silence >= 2 * ping_interval
            || Clock::now() - self->last_message_ >= self->idle_timeout_)
            self->mark_idle();
        if (silence >= ping_interval)
            self->send_ping();
        self->keep_alive();
    });
}

void WebSocketConnection::send_ping() {
    if (std::exchange(ping_pending_, true))
        return;
    stream_.async_ping(
        {}, [self = shared_from_this()](const error_code&) { self->ping_pending_ = false; });
}

void WebSocketConnection::send(std::string text) {
    if (!open_ || closing_ || finished_)
        return;
    set_unsent_bytes(unsent_bytes_ + size_in_memory(text));
    unsent_.push_back(std::move(text));
    if (slot_->exceeds_send_buffer())
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
                return;  // the pending read fails too and ends the connection
            self->set_unsent_bytes(self->unsent_bytes_ - size_in_memory(self->unsent_.front()));
            self->unsent_.pop_front();
            if (!self->unsent_.empty())
                self->write();
            else if (self->closing_)
                self->close();
            else
                self->guarded([&] { self->handler_->on_drained(); });
        });
}

/// Pending messages are still sent, unless the client does not read them in time.
void WebSocketConnection::close() {
    if (!std::exchange(closing_, true))
        limit_close();
    if (!finished_)
        mark_idle();
    if (!open_ || finished_ || !unsent_.empty())
        return;
    open_ = false;
    stream_.async_close(websocket::close_code::normal,
                        [self = shared_from_this()](const error_code&) {});
}

void WebSocketConnection::limit_close() {
    timer_.expires_after(close_frame_timeout);
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
    --state_->statistics.websockets;
    log_end();
    // Local, so that both are released if on_close() throws.
    const auto handler = std::move(handler_);
    const auto slot = std::move(slot_);
    handler->on_close();
}

void WebSocketConnection::log_end() const {
    if (!util::is_logged(util::LogLevel::debug))
        return;
    const auto lasted = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - began_);
    util::log_debug("WebSocket closed",
                    {{"client", client_}, {"seconds", lasted.count()}, {"messages", messages_}});
}

}  // namespace uci::net
