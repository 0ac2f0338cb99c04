#include "uci/store/redis_connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <hiredis/hiredis.h>
#if !defined(_WIN32)
#include <sys/socket.h>
#endif

#include <utility>

#include "core/text.hpp"

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using std::chrono::milliseconds;

/// With less time before the deadline a call fails at once.
constexpr milliseconds min_time{200};

timeval to_timeval(milliseconds time) {
    return {static_cast<decltype(timeval::tv_sec)>(time.count() / 1'000),
            static_cast<decltype(timeval::tv_usec)>(time.count() % 1'000 * 1'000)};
}

/// Redis's clock, or this machine's, may be set: it is read again after this long.
constexpr milliseconds clock_interval{500};

/// Repeats an operation until it is done. If it is not done in the end, `latest` has come.
template <typename Operation>
Result<RedisTls::Progress> repeat(const RedisTls& tls,
                                  RedisConnection::Clock::time_point latest,
                                  Operation operation) {
    while (true) {
        auto progress = operation();
        if (!progress || progress->state == RedisTls::State::done
            || !tls.wait(progress->state, latest))
            return progress;
    }
}

/// Of this machine's clock that is never set.
milliseconds now_in_milliseconds() {
    return std::chrono::floor<milliseconds>(RedisConnection::Clock::now().time_since_epoch());
}

}  // namespace

RedisCommand login_command(const RedisAddress& address) {
    if (address.password.empty())
        return {};
    if (address.user.empty())
        return {"AUTH", address.password};
    return {"AUTH", address.user, address.password};
}

std::string_view text_of(const redisReply& reply) {
    const bool has_text = reply.type == REDIS_REPLY_STRING || reply.type == REDIS_REPLY_STATUS
                       || reply.type == REDIS_REPLY_ERROR;
    return has_text ? std::string_view{reply.str, reply.len} : std::string_view{};
}

void RedisConnection::Disconnect::operator()(redisContext* context) const {
    redisFree(context);
}

RedisConnection::RedisConnection(RedisAddress address, RedisTimeouts timeouts)
    : address_{std::move(address)},
      timeouts_{timeouts} {}

RedisConnection::~RedisConnection() = default;

void RedisConnection::close() {
    tls_.reset();
    context_.reset();
    unsent_.clear();
    sent_ = 0;
}

/// The shorter of a timeout and the time before the deadline; less than 0 after it.
milliseconds RedisConnection::remaining(milliseconds timeout) const {
    const auto left = std::chrono::floor<milliseconds>(deadline_ - Clock::now());
    return std::min(timeout, left);
}

std::optional<Error> RedisConnection::ensure_open() {
    if (remaining(min_time) < min_time)
        return Error{"Redis at " + address_.host + ": no time is left"};
    if (context_ && is_stale())
        close();
    if (context_)
        return refresh_clock();
    if (Clock::now() < next_attempt_)
        return Error{last_failure_};
    auto error = connect();
    if (!error)
        error = log_in();
    if (!error)
        return std::nullopt;
    close();
    next_attempt_ = Clock::now() + timeouts_.pause;
    last_failure_ = "Redis at " + address_.host + ": " + error->reason;
    return Error{last_failure_};
}

/// Connects to the first address of the host that accepts a connection, and TLS if that is wanted.
std::optional<Error> RedisConnection::connect() {
    const auto addresses = host_lookup_.find(address_.host, remaining(timeouts_.lookup));
    if (!addresses)
        return addresses.error();
    Error error{addresses->empty() ? "the name has no address" : "no time is left"};
    const auto deadline = Clock::now() + remaining(timeouts_.connect);
    for (const auto& address : *addresses) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left <= milliseconds{0})
            break;
        context_.reset(redisConnectWithTimeout(address.c_str(), address_.port, to_timeval(left)));
        if (context_ && context_->err == 0)
            return start_tls(deadline);
        error.reason = context_ ? static_cast<const char*>(context_->errstr) : "no memory";
    }
    return error;
}

/// The handshake, if TLS is wanted.
std::optional<Error> RedisConnection::start_tls(Clock::time_point latest) {
    if (!address_.tls)
        return std::nullopt;
    auto tls = RedisTls::start(context_->fd, address_.host, *address_.tls);
    if (!tls)
        return tls.error();
    tls_ = std::move(*tls);
    const auto progress = repeat(*tls_, latest, [&] { return tls_->handshake(); });
    if (!progress)
        return progress.error();
    if (progress->state != RedisTls::State::done)
        return Error{"no answer to the TLS handshake; perhaps it does not speak TLS"};
    return std::nullopt;
}

/// Begins a conversation: password, database, and what time it is there.
std::optional<Error> RedisConnection::log_in() {
    if (const auto login = login_command(address_); !login.empty()) {
        if (const auto reply = send(login); !reply)
            return reply.error();
    }
    if (address_.database != 0) {
        if (const auto reply = send({"SELECT", std::to_string(address_.database)}); !reply)
            return reply.error();
    }
    return read_clock();
}

/// Reads the clock if the last reading is old. The connection ends if that fails.
std::optional<Error> RedisConnection::refresh_clock() {
    if (Clock::now() < next_clock_reading_)
        return std::nullopt;
    const auto error = read_clock();
    if (!error)
        return std::nullopt;
    close();
    return Error{"Redis: " + error->reason};
}

std::optional<Error> RedisConnection::read_clock() {
    const auto time = send({"TIME"});
    if (!time)
        return time.error();
    if ((*time)->type != REDIS_REPLY_ARRAY || (*time)->elements != 2)
        return Error{"not a Redis"};
    const auto number = [&](std::size_t i) {
        return core::read_integer(text_of(*(*time)->element[i])).value_or(0);
    };
    clock_offset_ = milliseconds{number(0) * 1'000 + number(1) / 1'000} - now_in_milliseconds();
    next_clock_reading_ = Clock::now() + clock_interval;
    return std::nullopt;
}

milliseconds RedisConnection::server_time() const {
    return now_in_milliseconds() + clock_offset_;
}

/// Why the last command has no reply. The connection ends.
Error RedisConnection::connection_failure() {
    const bool timed_out = context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == ETIMEDOUT);
    return timed_out ? no_answer() : lost({static_cast<const char*>(context_->errstr)});
}

Error RedisConnection::lost(Error error) {
    close();
    return error;
}

/// Ends the connection to a Redis that is silent; no call waits for it for some time.
Error RedisConnection::no_answer() {
    next_attempt_ = Clock::now() + timeouts_.pause;
    last_failure_ = "Redis at " + address_.host + ": no answer";
    return lost({"no answer"});
}

// Between two commands there is nothing to read unless Redis has closed the connection.
bool RedisConnection::is_stale() const {
    if (tls_)
        return !tls_->is_quiet();
#if defined(_WIN32)
    return false;
#else
    char byte = 0;
    return recv(context_->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
#endif
}

/// For the commands that are sent next. 0 would be no limit.
void RedisConnection::limit_reply_time() {
    redisSetTimeout(context_.get(), to_timeval(std::max(reply_time(), milliseconds{1})));
}

void RedisConnection::append(const RedisCommand& arguments) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const auto& argument : arguments) {
        texts.push_back(argument.data());
        sizes.push_back(argument.size());
    }
    const auto count = static_cast<int>(arguments.size());
    if (!tls_) {
        redisAppendCommandArgv(context_.get(), count, texts.data(), sizes.data());
        return;
    }
    char* command = nullptr;
    const int size = redisFormatCommandArgv(&command, count, texts.data(), sizes.data());
    if (size > 0)
        unsent_.append(command, static_cast<std::size_t>(size));
    redisFreeCommand(command);
}

Result<RedisReply> RedisConnection::next_reply() {
    if (tls_)
        return next_reply_over_tls();
    void* raw = nullptr;
    if (redisGetReply(context_.get(), &raw) != REDIS_OK)
        return connection_failure();
    return RedisReply{static_cast<redisReply*>(raw), freeReplyObject};
}

Result<RedisReply> RedisConnection::next_reply_over_tls() {
    while (true) {
        void* raw = nullptr;
        if (redisReaderGetReply(context_->reader, &raw) != REDIS_OK)
            return lost({static_cast<const char*>(context_->reader->errstr)});
        if (raw != nullptr)
            return RedisReply{static_cast<redisReply*>(raw), freeReplyObject};
        const auto state = exchange_over_tls();
        if (!state)
            return lost(state.error());
        if (*state != RedisTls::State::done)
            return no_answer();
    }
}

/// Sends some of what is unsent, or else gives the reader some of what Redis sends.
Result<RedisTls::State> RedisConnection::exchange_over_tls() {
    const auto latest = Clock::now() + std::max(reply_time(), milliseconds{1});
    if (sent_ < unsent_.size()) {
        const auto progress = repeat(
            *tls_, latest, [&] { return tls_->write(std::string_view{unsent_}.substr(sent_)); });
        if (!progress)
            return progress.error();
        sent_ += progress->size;
        return progress->state;
    }
    unsent_.clear();
    sent_ = 0;
    std::array<char, 16'384> chunk{};
    const auto progress = repeat(*tls_, latest, [&] { return tls_->read(chunk); });
    if (!progress)
        return progress.error();
    redisReaderFeed(context_->reader, chunk.data(), progress->size);
    return progress->state;
}

/// Sends a command and waits for its reply, on the connection that is open.
Result<RedisReply> RedisConnection::send(const RedisCommand& arguments) {
    limit_reply_time();
    append(arguments);
    auto reply = next_reply();
    if (reply && (*reply)->type == REDIS_REPLY_ERROR)
        return Error{std::string{text_of(**reply)}};
    return reply;
}

Result<RedisReply> RedisConnection::command(const RedisCommand& arguments) {
    if (const auto error = ensure_open())
        return *error;
    auto reply = send(arguments);
    if (!reply)
        return Error{"Redis: " + reply.reason()};
    return reply;
}

Result<std::vector<RedisReply>> RedisConnection::pipeline(
    const std::vector<RedisCommand>& commands) {
    if (const auto error = ensure_open())
        return *error;
    limit_reply_time();
    for (const auto& arguments : commands)
        append(arguments);
    std::vector<RedisReply> replies;
    std::optional<Error> refusal;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        auto reply = next_reply();
        if (!reply)
            return Error{"Redis: " + reply.reason()};
        if ((*reply)->type == REDIS_REPLY_ERROR && !refusal)
            refusal = Error{"Redis: " + std::string{text_of(**reply)}};
        replies.push_back(std::move(*reply));
    }
    if (refusal)
        return *refusal;
    return replies;
}

}  // namespace uci::store
