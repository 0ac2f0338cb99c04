#include "uci/chenserver/connection.hpp"

#include <boost/asio/write.hpp>
#include <utility>

#include <fmt/format.h>

#include "uci/chenserver/command.hpp"
#include "uci/chenserver/http.hpp"
#include "uci/chenserver/limits.hpp"
#include "uci/net/url.hpp"

namespace uci::chenserver {

namespace {

using boost::system::error_code;
using std::chrono::milliseconds;

constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr const char* forbidden = "FORBIDDEN";

bool is_exit(const Command* command) {
    return command && command->kind == CommandKind::exit;
}

}  // namespace

ChenserverConnection::ChenserverConnection(ChenserverHost& host,
                                           boost::asio::ip::tcp::socket socket,
                                           std::shared_ptr<net::ConnectionSlot> slot,
                                           std::size_t id)
    : host_{host},
      socket_{std::move(socket)},
      slot_{std::move(slot)},
      timer_{socket_.get_executor()},
      id_{id} {}

void ChenserverConnection::start() {
    enter(Stage::reading, read_timeout);
    slot_->mark_idle([weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->close();
    });
    read();
}

/// The timeout of a stage runs from its beginning, so that a byte now and then does not keep a
/// connection alive.
void ChenserverConnection::enter(Stage stage, milliseconds timeout) {
    stage_ = stage;
    slot_->mark_active();
    timer_.expires_after(timeout);
    timer_.async_wait([self = shared_from_this(), stage](const error_code& cancelled) {
        if (!cancelled && self->stage_ == stage)
            self->close();
    });
}

void ChenserverConnection::close() {
    if (stage_ == Stage::closed)
        return;
    stage_ = Stage::closed;
    slot_.reset();
    error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
    host_.remove_connection(id_);
}

void ChenserverConnection::read() {
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [self = shared_from_this()](const error_code& error, std::size_t size) {
                                if (self->stage_ != Stage::reading)
                                    return;
                                if (error) {
                                    self->close();
                                    return;
                                }
                                self->input_.append(self->chunk_.data(), size);
                                try {
                                    self->handle_input();
                                }
                                catch (...) {
                                    self->close();
                                    throw;
                                }
                            });
}

void ChenserverConnection::handle_input() {
    const auto end = input_.find('\n');
    if (end != std::string::npos && is_request_line(std::string_view{input_}.substr(0, end)))
        handle_head(end);
    else if (std::min(end, input_.size()) > max_input)
        write("CANNOT_PARSE\n");
    else if (end != std::string::npos)
        handle_line(input_.substr(0, end));
    else
        read();
}

void ChenserverConnection::handle_line(const std::string& line) {
    const auto parsed = parse_command(line);
    const auto refusal =
        is_exit(std::get_if<Command>(&parsed)) ? host_.refuse_exit() : std::nullopt;
    if (refusal) {
        write(*refusal + '\n');
        return;
    }
    submit(line,
           [self = shared_from_this()](const std::string& answer) { self->write(answer + '\n'); });
}

void ChenserverConnection::handle_head(std::size_t end_of_line) {
    const auto end = input_.find(end_of_head, end_of_line - 1);
    if (end == std::string::npos && input_.size() <= max_input) {
        read();
        return;
    }
    if (end == std::string::npos) {
        write(write_response({431, "the headers are too long"}));
        return;
    }
    const auto head = read_head(std::string_view{input_}.substr(0, end + end_of_head.size()));
    if (head)
        answer_request(*head);
    else
        write(write_response({400, head.reason()}));
}

void ChenserverConnection::answer_request(const RequestHead& head) {
    ResponseText response;
    response.is_http_1_0 = head.is_http_1_0;
    response.without_body = head.method == "HEAD";
    const auto refuse = [&](int status, std::string why) {
        response.status = status;
        response.body = std::move(why);
        write(write_response(response));
    };
    if (head.method != "GET" && head.method != "HEAD")
        return refuse(405, "only GET and HEAD are understood here");
    // A malformed path becomes an empty command, which is answered by CANNOT_PARSE.
    const std::string text = net::decode_path(head.target).value_or("");
    const auto parsed = parse_command(text);
    const auto* command = std::get_if<Command>(&parsed);
    const bool mutating = command && is_mutating(command->kind);
    if (mutating && response.without_body)
        return refuse(405, "use GET for a command that changes something");
    const auto& same_origin = host_.same_origin();
    if (const auto error =
            mutating ? same_origin.check_change(head.source) : same_origin.check_host(head.source))
        return refuse(403, fmt::format("{} {}", forbidden, error->reason));
    if (const auto refusal = is_exit(command) ? refuse_exit(head) : std::nullopt)
        return refuse(403, *refusal);
    submit(text, [self = shared_from_this(), response](const std::string& answer) {
        ResponseText full = response;
        full.body = answer;
        self->write(write_response(full));
    });
}

/// By HTTP only a program on this machine may end the server: every page can make the browser of
/// its visitor send requests.
std::optional<std::string> ChenserverConnection::refuse_exit(const RequestHead& head) const {
    if (auto refusal = host_.refuse_exit())
        return refusal;
    error_code error;
    const auto peer = socket_.remote_endpoint(error).address();
    error_code local_error;
    const auto own = socket_.local_endpoint(local_error).address();
    const bool is_here = !error && (peer.is_loopback() || (!local_error && peer == own));
    if (!is_here || head.is_forwarded)
        return fmt::format("{} exit over HTTP is accepted only from the server's own machine",
                           forbidden);
    if (head.is_from_browser)
        return fmt::format("{} exit is not accepted from a browser", forbidden);
    return std::nullopt;
}

void ChenserverConnection::submit(const std::string& command, ChenserverHost::Reply reply) {
    timer_.cancel();
    stage_ = Stage::waiting;
    slot_->mark_active();
    input_.clear();
    input_.shrink_to_fit();
    // The answer may come, and end this stage, before the id of the command.
    const auto id = host_.submit(command, std::move(reply), slot_->client());
    if (stage_ == Stage::waiting)
        command_ = id;
    ignore_input();
}

/// Reads and drops what comes behind the command until the client has finished. A reset while it
/// waits for its answer means that the client has gone; the end of its input does not.
void ChenserverConnection::ignore_input() {
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [self = shared_from_this()](const error_code& error, std::size_t size) {
                                self->handle_ignored(error, size);
                            });
}

void ChenserverConnection::handle_ignored(const error_code& error, std::size_t size) {
    ignored_ += size;
    input_ended_ = bool{error};
    if (stage_ == Stage::closed)
        return;
    const bool was_reset = error && error != boost::asio::error::eof;
    if (ignored_ > max_ignored_input || (was_reset && stage_ == Stage::waiting))
        leave();
    else if (error && stage_ == Stage::draining)
        close();
    else if (!error)
        ignore_input();
}

/// Closes the socket and abandons the command that has no answer yet.
void ChenserverConnection::leave() {
    const auto command = stage_ == Stage::waiting ? command_ : std::nullopt;
    close();
    if (command)
        host_.abandon(*command);
}

void ChenserverConnection::write(std::string text) {
    if (stage_ == Stage::closed)
        return;
    // Answered before a whole command was read, so nothing reads the rest of the input yet.
    if (stage_ == Stage::reading)
        ignore_input();
    output_ = std::move(text);
    enter(Stage::writing, write_timeout);
    boost::asio::async_write(socket_, boost::asio::buffer(output_),
                             [self = shared_from_this()](const error_code& error, std::size_t) {
                                 if (self->stage_ == Stage::closed)
                                     return;
                                 if (error)
                                     self->close();
                                 else
                                     self->drain();
                             });
}

/// Closes the socket after the client has closed it, or after close_timeout: closing with unread
/// input would reset the connection and lose the answer.
void ChenserverConnection::drain() {
    if (input_ended_) {
        close();
        return;
    }
    error_code ignored;
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
    enter(Stage::draining, close_timeout);
}

}  // namespace uci::chenserver
