#include "uci/net/redis_news.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <hiredis/hiredis.h>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "uci/store/redis_store.hpp"

namespace uci::net {

namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

/// For a connection to be made, and between two signs of life.
constexpr std::chrono::seconds longest_silence{5};
constexpr std::chrono::milliseconds before_next_attempt{500};

std::string_view text_of(const redisReply& reply) {
    return reply.type == REDIS_REPLY_STRING ? std::string_view{reply.str, reply.len}
                                            : std::string_view{};
}

}  // namespace

void RedisNews::FreeReader::operator()(redisReader* reader) const {
    redisReaderFree(reader);
}

RedisNews::RedisNews(boost::asio::io_context& io,
                     chezz::RedisPlace place,
                     std::string own_name,
                     Changed changed,
                     Missed missed)
    : place_{std::move(place)},
      own_name_{std::move(own_name)},
      changed_{std::move(changed)},
      missed_{std::move(missed)},
      resolver_{io},
      socket_{io},
      timer_{io} {}

RedisNews::~RedisNews() = default;

void RedisNews::connect() {
    watch();
    resolver_.async_resolve(
        place_.host, std::to_string(place_.port),
        [this](const error_code& error, const tcp::resolver::results_type& found) {
            if (error == boost::asio::error::operation_aborted || closed_)
                return;
            if (error)
                return lose();
            boost::asio::async_connect(
                socket_, found, [this](const error_code& failure, const tcp::endpoint&) {
                    if (failure == boost::asio::error::operation_aborted || closed_)
                        return;
                    if (failure)
                        return lose();
                    subscribe();
                });
        });
}

void RedisNews::subscribe() {
    reader_.reset(redisReaderCreate());
    say({"SUBSCRIBE", store::channel_of(place_)});
    read();
}

/// Says a command, unless the one before has not gone yet: then Redis is no longer there.
void RedisNews::say(const std::vector<std::string>& words) {
    if (std::exchange(saying_, true))
        return;
    said_ = fmt::format("*{}\r\n", words.size());
    for (const auto& word : words)
        said_ += fmt::format("${}\r\n{}\r\n", word.size(), word);
    boost::asio::async_write(socket_, boost::asio::buffer(said_),
                             [this](const error_code&, std::size_t) { saying_ = false; });
}

void RedisNews::read() {
    socket_.async_read_some(boost::asio::buffer(chunk_),
                            [this](const error_code& error, std::size_t size) {
                                if (error == boost::asio::error::operation_aborted || closed_)
                                    return;
                                heard_ = true;
                                if (error)
                                    return lose();
                                redisReaderFeed(reader_.get(), chunk_.data(), size);
                                if (take_replies())
                                    read();
                                else
                                    lose();
                            });
}

/// Whether what was heard makes sense.
bool RedisNews::take_replies() {
    while (true) {
        void* raw = nullptr;
        if (redisReaderGetReply(reader_.get(), &raw) != REDIS_OK)
            return false;
        if (!raw)
            return true;
        const std::unique_ptr<redisReply, void (*)(void*)> reply{static_cast<redisReply*>(raw),
                                                                 freeReplyObject};
        if (reply->type == REDIS_REPLY_ERROR)
            return false;
        if (reply->type != REDIS_REPLY_ARRAY || reply->elements < 3)
            continue;
        if (text_of(*reply->element[0]) == "subscribe")
            missed_();
        else if (text_of(*reply->element[0]) == "message")
            take_change(std::string{text_of(*reply->element[2])});
    }
}

void RedisNews::take_change(const std::string& signed_number) {
    const auto blank = signed_number.find(' ');
    if (blank == std::string::npos || signed_number.substr(0, blank) == own_name_)
        return;
    if (const auto id = chezz::read_game_id(signed_number.substr(blank + 1)))
        changed_(*id);
}

/// Asks for a sign of life now and then; gives up when there was none since.
void RedisNews::watch() {
    heard_ = false;
    timer_.expires_after(longest_silence);
    timer_.async_wait([this](const error_code& cancelled) {
        if (cancelled || closed_)
            return;
        if (!heard_)
            return lose();
        say({"PING"});
        watch();
    });
}

void RedisNews::lose() {
    resolver_.cancel();
    error_code ignored;
    socket_.close(ignored);
    saying_ = false;
    timer_.expires_after(before_next_attempt);
    timer_.async_wait([this](const error_code& cancelled) {
        if (!cancelled && !closed_)
            connect();
    });
}

void RedisNews::close() {
    closed_ = true;
    resolver_.cancel();
    timer_.cancel();
    error_code ignored;
    socket_.close(ignored);
}

}  // namespace uci::net
