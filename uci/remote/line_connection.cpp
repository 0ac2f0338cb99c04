#include "uci/remote/line_connection.hpp"

#include <boost/asio/write.hpp>
#include <utility>

#include "core/text.hpp"

#include "uci/remote/limits.hpp"

namespace uci::remote {

namespace {

using boost::system::error_code;

}  // namespace

bool is_http_request_line(std::string_view line) {
    while (!line.empty() && core::is_blank(line.back()))
        line.remove_suffix(1);
    const auto last_word = line.substr(line.rfind(' ') + 1);
    return last_word.size() < line.size() && last_word.starts_with("HTTP/");
}

LineConnection::LineConnection(boost::asio::ip::tcp::socket socket,
                               std::shared_ptr<net::ConnectionSlot> slot,
                               std::shared_ptr<RemoteClient> client,
                               OnHttp on_http)
    : socket_{std::move(socket)},
      slot_{std::move(slot)},
      client_{std::move(client)},
      on_http_{std::move(on_http)} {}

void LineConnection::start() {
    slot_->mark_idle([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->finish();
    });
    client_->open(shared_from_this());
    read();
}

void LineConnection::read() {
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [self = shared_from_this()](const error_code& error, std::size_t size) {
                                if (self->finished_)
                                    return;
                                if (error) {
                                    self->finish();
                                    return;
                                }
                                self->input_.append(self->chunk_.data(), size);
                                self->handle_input();
                                if (!self->finished_)
                                    self->read();
                            });
}

void LineConnection::handle_input() {
    std::size_t start = 0;
    for (auto end = input_.find('\n'); end != std::string::npos && !finished_;
         end = input_.find('\n', start)) {
        const auto line = std::string_view{input_}.substr(start, end - start);
        if (std::exchange(is_first_line_, false) && is_http_request_line(line)) {
            give_away();
            return;
        }
        start = end + 1;
        if (line.size() > max_line)
            client_->refuse("a line is longer than 1 MiB", farewell_delay);
        else
            client_->on_line(line);
    }
    input_.erase(0, start);
    if (input_.size() > max_line && !finished_) {
        client_->refuse("a line is longer than 1 MiB", farewell_delay);
        input_.clear();
    }
}

/// To the HTTP server. A request with another method than GET comes from a page or a program that
/// does not want this engine: its body must not be taken for commands.
void LineConnection::give_away() {
    const auto self = shared_from_this();
    finished_ = true;
    if (const auto client = std::exchange(client_, nullptr))
        client->close("it speaks HTTP");
    if (input_.starts_with("GET "))
        on_http_(std::move(socket_), std::move(slot_), input_);
    slot_.reset();
    error_code ignored;
    socket_.close(ignored);
}

void LineConnection::send(std::string line) {
    output_ = std::move(line);
    output_ += '\n';
    boost::asio::async_write(
        socket_, boost::asio::buffer(output_),
        [self = shared_from_this()](const error_code& error, std::size_t /*size*/) {
            if (self->finished_)
                return;
            if (error)
                self->finish();
            else
                self->client_->on_sent();
        });
}

void LineConnection::keep() {
    slot_->mark_active();
}

void LineConnection::close() {
    finish();
}

void LineConnection::finish() {
    if (std::exchange(finished_, true))
        return;
    const auto self = shared_from_this();
    slot_.reset();
    error_code ignored;
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
    if (const auto client = std::exchange(client_, nullptr))
        client->on_closed();
}

}  // namespace uci::remote
