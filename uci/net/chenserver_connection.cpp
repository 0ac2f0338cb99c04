#include "uci/net/chenserver_connection.hpp"

#include <boost/asio/write.hpp>
#include <utility>

#include "uci/chenserver/question.hpp"
#include "uci/net/http.hpp"

namespace uci::net {

namespace {

using boost::system::error_code;
using std::chrono::milliseconds;

constexpr milliseconds longest_reading{60'000};
constexpr milliseconds longest_writing{10'000};
constexpr milliseconds longest_draining{1'000};
/// What a client may still send while its answer is under way, before it is cut off.
constexpr std::size_t most_drained = 33'554'432;

constexpr std::string_view end_of_head = "\r\n\r\n";
constexpr const char* forbidden = "FORBIDDEN";

bool is_exit(const chenserver::Question* question) {
    return question && question->verb == chenserver::Verb::exit;
}

}  // namespace

ChenserverConnection::ChenserverConnection(ChenserverHost& host,
                                           boost::asio::ip::tcp::socket socket,
                                           std::size_t id)
    : host_{host},
      socket_{std::move(socket)},
      timer_{socket_.get_executor()},
      id_{id} {}

void ChenserverConnection::start() {
    enter(Stage::reading, longest_reading);
    read();
}

/// The time for a stage runs from its beginning, so that sending a byte now and then does not
/// keep a connection alive.
void ChenserverConnection::enter(Stage stage, milliseconds longest) {
    stage_ = stage;
    timer_.expires_after(longest);
    timer_.async_wait([self = shared_from_this(), stage](const error_code& cancelled) {
        if (!cancelled && self->stage_ == stage)
            self->close();
    });
}

void ChenserverConnection::close() {
    if (stage_ == Stage::closed)
        return;
    stage_ = Stage::closed;
    error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
    host_.forget(id_);
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
                                self->look_at_input();
                            });
}

void ChenserverConnection::look_at_input() {
    const auto end = input_.find('\n');
    if (end != std::string::npos && is_request_line(std::string_view{input_}.substr(0, end)))
        look_at_head(end);
    else if (std::min(end, input_.size()) > longest_input)
        write("CANNOT_PARSE\n");
    else if (end != std::string::npos)
        look_at_line(input_.substr(0, end));
    else
        read();
}

void ChenserverConnection::look_at_line(const std::string& line) {
    const auto question = chenserver::read_question(line);
    if (is_exit(std::get_if<chenserver::Question>(&question)) && !host_.may_exit()) {
        write(std::string{forbidden} + '\n');
        return;
    }
    timer_.cancel();
    stage_ = Stage::waiting;
    host_.submit(line, [self = shared_from_this()](const std::string& answer) {
        self->write(answer + '\n');
    });
}

void ChenserverConnection::look_at_head(std::size_t end_of_line) {
    const auto end = input_.find(end_of_head, end_of_line - 1);
    if (end == std::string::npos && input_.size() <= longest_input) {
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
    const auto refuse = [&](int status, const char* why) {
        response.status = status;
        response.body = why;
        write(write_response(response));
    };
    if (head.method != "GET" && head.method != "HEAD")
        return refuse(405, "only GET and HEAD are understood here");
    // What is no path becomes an empty command, which nobody can parse.
    const std::string command = command_of(head.target).value_or("");
    const auto reading = chenserver::read_question(command);
    const auto* question = std::get_if<chenserver::Question>(&reading);
    const bool changes = question && chenserver::changes_something(question->verb);
    if (changes && response.without_body)
        return refuse(405, "HEAD changes nothing");
    if ((changes && !is_trusted(head, host_.is_local_only()))
        || (is_exit(question) && !host_.may_exit()))
        return refuse(403, forbidden);
    timer_.cancel();
    stage_ = Stage::waiting;
    host_.submit(command, [self = shared_from_this(), response](const std::string& answer) {
        ResponseText full = response;
        full.body = answer;
        self->write(write_response(full));
    });
}

void ChenserverConnection::write(std::string text) {
    if (stage_ == Stage::closed)
        return;
    output_ = std::move(text);
    enter(Stage::writing, longest_writing);
    boost::asio::async_write(socket_, boost::asio::buffer(output_),
                             [self = shared_from_this()](const error_code& error, std::size_t) {
                                 if (self->stage_ == Stage::closed)
                                     return;
                                 if (error) {
                                     self->close();
                                     return;
                                 }
                                 error_code ignored;
                                 self->socket_.shutdown(boost::asio::socket_base::shutdown_send,
                                                        ignored);
                                 self->enter(Stage::draining, longest_draining);
                                 self->drain();
                             });
}

/// Reads what the client still sends: closing with bytes unread would take the answer away
/// from it.
void ChenserverConnection::drain() {
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [self = shared_from_this()](const error_code& error, std::size_t size) {
                                self->drained_ += size;
                                if (error || self->drained_ > most_drained)
                                    self->close();
                                else
                                    self->drain();
                            });
}

}  // namespace uci::net
