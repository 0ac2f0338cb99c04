#include "uci/net/web_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <utility>

#include "uci/net/descriptors.hpp"
#include "uci/net/http.hpp"
#include "uci/net/websocket_connection.hpp"

namespace uci::net {

namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;

/// Bytes on their way to a client. More would be the system's to keep for those who do not read.
constexpr int in_the_system = 64 * 1'024;
/// For a request to come, the next one of a kept connection included, and for an answer to go.
constexpr std::chrono::seconds longest_exchange{30};

/// One connection: requests one after the other, perhaps a WebSocket in the end.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
public:
    HttpConnection(boost::asio::ip::tcp::socket socket,
                   WebApplication& application,
                   const WebLimits& limits,
                   std::shared_ptr<WebCrowd::Ticket> ticket)
        : stream_{std::move(socket)},
          application_{application},
          limits_{limits},
          ticket_{std::move(ticket)} {}

    void read() {
        parser_.emplace();
        parser_->header_limit(static_cast<std::uint32_t>(limits_.header));
        parser_->body_limit(limits_.body);
        stream_.expires_after(longest_exchange);
        ticket_->note_silent([weak = weak_from_this()] {
            if (const auto self = weak.lock())
                self->drop();
        });
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const error_code& error, std::size_t) {
                             self->take(error);
                         });
    }

private:
    void take(const error_code& error) {
        if (!ticket_)
            return;
        ticket_->note_speaking();
        if (error == http::error::end_of_stream || error == boost::beast::error::timeout)
            return close();
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
            application_.upgrade(request_, [self = shared_from_this()](auto decision) {
                self->obey(std::move(decision));
            });
            return;
        }
        application_.answer(request_, [self = shared_from_this()](HttpResponse response) {
            self->write(std::move(response));
        });
    }

    void obey(std::variant<std::shared_ptr<Conversation>, HttpResponse> decision) {
        if (auto* refusal = std::get_if<HttpResponse>(&decision)) {
            write(std::move(*refusal));
            return;
        }
        std::make_shared<WebSocketConnection>(
            std::move(stream_), std::get<std::shared_ptr<Conversation>>(std::move(decision)),
            limits_, ticket_)
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
        stream_.expires_after(longest_exchange);
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

    /// Others need the place.
    void drop() {
        ticket_.reset();
        stream_.close();
    }

    void close() {
        error_code ignored;
        stream_.socket().shutdown(boost::asio::socket_base::shutdown_send, ignored);
    }

    boost::beast::tcp_stream stream_;
    WebApplication& application_;
    WebLimits limits_;
    std::shared_ptr<WebCrowd::Ticket> ticket_;
    boost::beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    HttpRequest request_;
    HttpResponse response_;
};

}  // namespace

WebServer::WebServer(boost::asio::io_context& io, WebApplication& application, WebLimits limits)
    : application_{application},
      limits_{limits},
      crowd_{std::make_shared<WebCrowd>(
          CrowdLimits{allow_connections(limits.connections), limits.unsent, limits.unsent_of_all})},
      listener_{io, [this](boost::asio::ip::tcp::socket socket) { take(std::move(socket)); },
                [crowd = crowd_] { return crowd->make_room(); }} {}

void WebServer::take(boost::asio::ip::tcp::socket socket) {
    auto ticket = crowd_->admit();
    if (!ticket)
        return;  // the socket closes itself
    error_code ignored;
    socket.set_option(boost::asio::ip::tcp::no_delay{true}, ignored);
    socket.set_option(boost::asio::socket_base::send_buffer_size{in_the_system}, ignored);
    std::make_shared<HttpConnection>(std::move(socket), application_, limits_, std::move(ticket))
        ->read();
}

}  // namespace uci::net
