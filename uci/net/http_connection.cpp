#include "uci/net/http_connection.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "uci/net/http_date.hpp"
#include "uci/net/websocket_connection.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

/// For the next request of a kept connection to arrive, and for a response to be sent.
constexpr std::chrono::seconds exchange_timeout{30};

/// What a client may still send, and how long it may take, before a connection is closed.
constexpr std::size_t max_drained = 8'388'608;
constexpr std::chrono::seconds close_timeout{1};
constexpr std::size_t drain_chunk = 4'096;

/// One connection. It lives as long as an operation on it is pending, so a handler that throws
/// closes it.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(boost::asio::ip::tcp::socket socket,
                   RequestHandler& handler,
                   const HttpLimits& limits,
                   std::shared_ptr<ConnectionSlot> slot)
        : stream_{std::move(socket)},
          handler_{handler},
          limits_{limits},
          slot_{std::move(slot)} {}

    void read() {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(limits_.header));
        parser_->body_limit(limits_.body);
        stream_.expires_after(exchange_timeout);
        mark_idle();
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->on_read(error);
                         });
    }

private:
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
        stream_.expires_never();
        request_ = parser_->release();
        if (boost::beast::websocket::is_upgrade(request_)) {
            handler_.upgrade(request_, [self = shared_from_this()](auto decision) {
                self->on_decision(std::move(decision));
            });
            return;
        }
        handler_.handle(request_, [self = shared_from_this()](HttpResponse response) {
            self->write(std::move(response));
        });
    }

    void on_decision(std::variant<std::shared_ptr<WebSocketHandler>, HttpResponse> decision) {
        if (auto* refusal = std::get_if<HttpResponse>(&decision)) {
            write(std::move(*refusal));
            return;
        }
        std::make_shared<WebSocketConnection>(
            std::move(stream_), std::get<std::shared_ptr<WebSocketHandler>>(std::move(decision)),
            limits_, slot_)
            ->start(request_);
    }

    void refuse(http::status status) {
        HttpResponse response{status, 11};
        response.keep_alive(false);
        write(std::move(response));
    }

    void write(HttpResponse response) {
        response_ = std::move(response);
        response_.version(request_.version() == 10 ? 10 : 11);
        response_.set(http::field::date, http_date());
        response_.prepare_payload();
        if (response_.result() == http::status::no_content)
            response_.erase(http::field::content_length);
        if (request_.method() == http::verb::head)
            response_.body().clear();
        const bool keeps = request_.keep_alive() && response_.keep_alive();
        response_.keep_alive(keeps);
        stream_.expires_after(exchange_timeout);
        http::async_write(stream_, response_,
                          [self = shared_from_this(), keeps](const error_code& error, std::size_t) {
                              if (error)
                                  return;
                              if (keeps)
                                  self->read();
                              else
                                  self->close();
                          });
    }

    void mark_idle() {
        slot_->mark_idle([weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->evict();
        });
    }

    /// Closes an idle connection: another one needs its slot.
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
    RequestHandler& handler_;
    HttpLimits limits_;
    std::shared_ptr<ConnectionSlot> slot_;
    boost::beast::flat_buffer buffer_;
    std::size_t drained_ = 0;
    std::optional<http::request_parser<http::string_body>> parser_;
    HttpRequest request_;
    HttpResponse response_;
};

}  // namespace

void serve_http(boost::asio::ip::tcp::socket socket,
                RequestHandler& handler,
                const HttpLimits& limits,
                std::shared_ptr<ConnectionSlot> slot) {
    std::make_shared<HttpConnection>(std::move(socket), handler, limits, std::move(slot))->read();
}

}  // namespace uci::net
