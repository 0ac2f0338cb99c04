#include "uci/net/http_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "uci/net/client_quota.hpp"
#include "uci/net/http_date.hpp"
#include "uci/net/http_framing.hpp"
#include "uci/net/websocket_connection.hpp"
#include "uci/util/log.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using std::chrono::milliseconds;

/// For the next request of a kept connection to arrive, and for a response to be sent.
constexpr std::chrono::seconds exchange_timeout{30};

/// What a client may still send, and how long it may take, before a connection is closed.
constexpr std::size_t max_drained = 8'388'608;
constexpr std::chrono::seconds close_timeout{1};
constexpr std::size_t drain_chunk = 4'096;

/// Bytes of the next requests that are read while a request is handled: so its client's end is
/// noticed.
constexpr std::size_t max_read_ahead = 4'096;

constexpr std::string_view continue_response{"HTTP/1.1 100 Continue\r\n\r\n"};

/// One connection. It lives as long as an operation on it is pending, or its handler has a request.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(boost::asio::ip::tcp::socket socket,
                   HttpContext context,
                   std::shared_ptr<ConnectionSlot> slot,
                   std::string_view received)
        : stream_{std::move(socket)},
          context_{std::move(context)},
          slot_{std::move(slot)} {
        error_code error;
        const auto peer = stream_.socket().remote_endpoint(error);
        if (!error)
            peer_ = peer.address();
        boost::asio::buffer_copy(buffer_.prepare(received.size()), boost::asio::buffer(received));
        buffer_.commit(received.size());
    }

    void read() {
        parser_.emplace();
        // A refusal of the next request must not be logged with what this one had.
        request_ = {};
        began_ = std::chrono::steady_clock::now();
        parser_->header_limit(static_cast<std::uint32_t>(context_.limits.header));
        parser_->body_limit(context_.limits.body);
        stream_.expires_after(exchange_timeout);
        mark_idle();
        http::async_read_header(stream_, buffer_, *parser_,
                                [self = shared_from_this()](const error_code& error, std::size_t) {
                                    self->on_header(error);
                                });
    }

private:
    void on_header(const error_code& error) {
        if (error || !slot_ || parser_->is_done())
            return on_read(error);
        // Before the body, whose end is not certain otherwise.
        if (check_framing(parser_->get()))
            return refuse(http::status::bad_request);
        if (expects_continue())
            return send_continue();
        read_body();
    }

    /// Whether the client sends the body only after a 100 (Continue): RFC 9110, section 10.1.1.
    bool expects_continue() const {
        const auto& request = parser_->get();
        return request.version() == 11 && buffer_.size() == 0
            && boost::beast::iequals(request[http::field::expect], "100-continue");
    }

    void send_continue() {
        boost::asio::async_write(stream_, boost::asio::buffer(continue_response),
                                 [self = shared_from_this()](const error_code& error, std::size_t) {
                                     if (error)
                                         self->on_read(error);
                                     else
                                         self->read_body();
                                 });
    }

    void read_body() {
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const error_code& failure, std::size_t) {
                             self->on_read(failure);
                         });
    }

    void on_read(const error_code& error) {
        if (!slot_)
            return;
        slot_->mark_active();
        if (error == http::error::end_of_stream)
            return;
        if (error == http::error::body_limit)
            return refuse(http::status::payload_too_large);
        if (error == http::error::header_limit)
            return refuse(http::status::request_header_fields_too_large);
        if (error.category() == http::make_error_code(http::error::bad_method).category())
            return refuse(http::status::bad_request);
        if (error)
            return;
        if (check_framing(parser_->get()))
            return refuse(http::status::bad_request);
        stream_.expires_never();
        receive(parser_->release());
        if (boost::beast::websocket::is_upgrade(request_)) {
            if (context_.state->is_closing)
                return refuse(http::status::service_unavailable);
            return upgrade();
        }
        handle();
    }

    void handle() {
        request_.when_gone = [weak = weak_from_this()](std::function<void()> on_gone) {
            if (const auto self = weak.lock())
                self->watch(std::move(on_gone));
        };
        guarded([this] {
            context_.handler.handle(request_, [self = shared_from_this()](HttpResponse response) {
                if (self->end_handling())
                    self->write(std::move(response));
            });
        });
    }

    void upgrade() {
        guarded([this] {
            context_.handler.upgrade(request_, [self = shared_from_this()](auto decision) {
                if (self->end_handling())
                    self->on_decision(std::move(decision));
            });
        });
    }

    /// Calls the handler. An exception before it has decided becomes a response.
    template <typename Call>
    void guarded(Call call) {
        is_handling_ = true;
        try {
            call();
        }
        catch (const std::exception& exception) {
            fail(exception.what());
        }
        catch (...) {
            fail("unknown exception");
        }
    }

    void fail(const std::string& reason) {
        util::log_error("internal error: " + reason);
        if (end_handling())
            refuse(http::status::internal_server_error);
    }

    /// False: the request has a response.
    bool end_handling() {
        on_gone_ = nullptr;
        return std::exchange(is_handling_, false);
    }

    /// Calls back if the client leaves while its request is handled.
    void watch(std::function<void()> on_gone) {
        if (!is_handling_)
            return;
        on_gone_ = std::move(on_gone);
        if (has_gone_)
            note_gone();
        else if (!std::exchange(is_watching_, true))
            wait_for_input();
    }

    /// Does not keep the connection alive. What arrives is kept for the next request; a client that
    /// sends too much ahead is not watched any longer.
    void wait_for_input() {
        const auto on_input = [weak = weak_from_this()](const error_code& error) {
            const auto self = weak.lock();
            if (!self)
                return;
            self->is_watching_ = false;
            if (!error && self->is_handling_)
                self->read_ahead();
        };
        stream_.socket().async_wait(boost::asio::socket_base::wait_read, on_input);
    }

    void read_ahead() {
        if (buffer_.size() >= max_read_ahead)
            return;
        error_code error;
        auto& socket = stream_.socket();
        socket.non_blocking(true, error);
        buffer_.commit(socket.read_some(buffer_.prepare(max_read_ahead - buffer_.size()), error));
        if (error && error != boost::asio::error::would_block)
            return note_gone();
        is_watching_ = true;
        wait_for_input();
    }

    /// The response is still awaited, as it may be on its way.
    void note_gone() {
        has_gone_ = true;
        if (const auto on_gone = std::exchange(on_gone_, nullptr))
            on_gone();
    }

    /// Takes a request and finds out who sent it.
    void receive(http::request<http::string_body> message) {
        request_ = HttpRequest{std::move(message)};
        // Several headers of the name are one list (RFC 9110, section 5.3).
        std::string forwarded_for;
        const auto [first, last] = request_.equal_range("X-Forwarded-For");
        for (auto field = first; field != last; ++field) {
            forwarded_for += forwarded_for.empty() ? "" : ",";
            forwarded_for.append(field->value().data(), field->value().size());
        }
        const auto& proxies = context_.state->proxies;
        request_.client = proxies.client_of(peer_, forwarded_for);
        request_.is_https = proxies.contains(peer_) && request_["X-Forwarded-Proto"] == "https";
        began_ = std::chrono::steady_clock::now();
    }

    void on_decision(std::variant<std::shared_ptr<WebSocketHandler>, HttpResponse> decision) {
        if (auto* refusal = std::get_if<HttpResponse>(&decision)) {
            write(std::move(*refusal));
            return;
        }
        auto handler = std::get<std::shared_ptr<WebSocketHandler>>(std::move(decision));
        if (!slot_->assign(client_key(request_.client))) {
            handler->on_close();
            return refuse(http::status::too_many_requests);
        }
        note_response(http::status::switching_protocols);
        std::make_shared<WebSocketConnection>(std::move(stream_), std::move(handler), context_,
                                              slot_)
            ->start(request_);
    }

    void refuse(http::status status) {
        auto response = context_.handler.refusal(status);
        response.keep_alive(false);
        write(std::move(response));
    }

    /// Counts and logs the response to the request.
    void note_response(http::status status) {
        const auto number = static_cast<unsigned>(status);
        ++context_.state->statistics.responses[number];
        if (!util::is_logged(util::LogLevel::debug))
            return;
        const auto took = std::chrono::steady_clock::now() - began_;
        const auto client = request_.client.is_unspecified() ? peer_ : request_.client;
        util::log_debug("request",
                        {{"client", client.to_string()},
                         {"method", std::string{request_.method_string()}},
                         {"target", std::string{request_.target()}},
                         {"status", number},
                         {"ms", std::chrono::duration_cast<milliseconds>(took).count()}});
    }

    void write(HttpResponse response) {
        if (!begin_response(response)) {
            response = context_.handler.refusal(http::status::service_unavailable);
            response.keep_alive(false);
            begin_response(response);
        }
        response_ = std::move(response);
        response_.version(request_.version() == 10 ? 10 : 11);
        response_.set(http::field::date, http_date());
        response_.prepare_payload();
        if (response_.result() == http::status::no_content
            || response_.result() == http::status::not_modified)
            response_.erase(http::field::content_length);
        if (request_.method() == http::verb::head)
            response_.body().clear();
        note_response(response_.result());
        const bool keeps =
            request_.keep_alive() && response_.keep_alive() && !context_.state->is_closing;
        response_.keep_alive(keeps);
        stream_.expires_after(exchange_timeout);
        http::async_write(stream_, response_,
                          [self = shared_from_this(), keeps](const error_code& error, std::size_t) {
                              if (error || !self->slot_)
                                  return;
                              self->slot_->end_response();
                              self->response_ = {};
                              if (keeps)
                                  self->read();
                              else
                                  self->close();
                          });
    }

    /// False: too many bytes wait for slow clients.
    bool begin_response(const HttpResponse& response) {
        const auto size = request_.method() == http::verb::head ? 0 : response.body().size();
        return slot_->begin_response(size, evictor());
    }

    void mark_idle() { slot_->mark_idle(evictor()); }

    std::function<void()> evictor() {
        return [weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->evict();
        };
    }

    /// Closes the connection: another one needs its slot.
    void evict() {
        slot_.reset();
        stream_.close();
    }

    /// Closes the socket only after its client has: while input is unread, TCP would answer with a
    /// reset, which can destroy the response on its way.
    void close() {
        error_code ignored;
        stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
        stream_.expires_after(close_timeout);
        mark_idle();
        drain();
    }

    /// Reads and drops input, up to a limit, until the client has finished.
    void drain() {
        buffer_.clear();
        stream_.async_read_some(
            buffer_.prepare(drain_chunk),
            [self = shared_from_this()](const error_code& error, std::size_t size) {
                self->drained_ += size;
                if (!error && self->drained_ <= max_drained)
                    self->drain();
            });
    }

    boost::beast::tcp_stream stream_;
    boost::asio::ip::address peer_;
    HttpContext context_;
    std::shared_ptr<ConnectionSlot> slot_;
    boost::beast::flat_buffer buffer_;
    std::size_t drained_ = 0;
    std::optional<http::request_parser<http::string_body>> parser_;
    HttpRequest request_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    HttpResponse response_;
    bool is_handling_ = false;  ///< the request has no response yet
    bool is_watching_ = false;  ///< an operation waits for input meanwhile
    bool has_gone_ = false;
    std::function<void()> on_gone_;
};

}  // namespace

void serve_http(boost::asio::ip::tcp::socket socket,
                HttpContext context,
                std::shared_ptr<ConnectionSlot> slot,
                std::string_view received) {
    std::make_shared<HttpConnection>(std::move(socket), std::move(context), std::move(slot),
                                     received)
        ->read();
}

}  // namespace uci::net
