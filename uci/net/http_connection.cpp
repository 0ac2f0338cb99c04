#include "uci/net/http_connection.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <optional>
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

/// One connection. It lives as long as an operation on it is pending, so a handler that throws
/// closes it.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(boost::asio::ip::tcp::socket socket,
                   HttpContext context,
                   std::shared_ptr<ConnectionSlot> slot)
        : stream_{std::move(socket)},
          context_{std::move(context)},
          slot_{std::move(slot)} {
        error_code error;
        const auto peer = stream_.socket().remote_endpoint(error);
        if (!error)
            peer_ = peer.address();
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
            context_.handler.upgrade(request_, [self = shared_from_this()](auto decision) {
                self->on_decision(std::move(decision));
            });
            return;
        }
        context_.handler.handle(request_, [self = shared_from_this()](HttpResponse response) {
            self->write(std::move(response));
        });
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
        if (!slot_->assign(client_key(request_.client)))
            return refuse(http::status::too_many_requests);
        note_response(http::status::switching_protocols);
        std::make_shared<WebSocketConnection>(
            std::move(stream_), std::get<std::shared_ptr<WebSocketHandler>>(std::move(decision)),
            context_, slot_)
            ->start(request_);
    }

    void refuse(http::status status) {
        HttpResponse response{status, 11};
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
        response_ = std::move(response);
        response_.version(request_.version() == 10 ? 10 : 11);
        response_.set(http::field::date, http_date());
        response_.prepare_payload();
        if (response_.result() == http::status::no_content)
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
    boost::asio::ip::address peer_;
    HttpContext context_;
    std::shared_ptr<ConnectionSlot> slot_;
    boost::beast::flat_buffer buffer_;
    std::size_t drained_ = 0;
    std::optional<http::request_parser<http::string_body>> parser_;
    HttpRequest request_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    HttpResponse response_;
};

}  // namespace

void serve_http(boost::asio::ip::tcp::socket socket,
                HttpContext context,
                std::shared_ptr<ConnectionSlot> slot) {
    std::make_shared<HttpConnection>(std::move(socket), std::move(context), std::move(slot))
        ->read();
}

}  // namespace uci::net
