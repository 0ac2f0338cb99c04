#include "uci/store/redis_store.hpp"

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
using std::chrono::seconds;

using std::chrono::milliseconds;

constexpr milliseconds lookup_timeout{1'000};
constexpr milliseconds connect_timeout{1'000};
constexpr milliseconds reply_timeout{1'500};
// A Redis that hung carries out what it finds in its buffers when it goes on. A change that was
// reported as failed must not be made then, so each says until when it may be made.
constexpr milliseconds change_lifetime{1'200};
// While Redis cannot be reached or does not answer, at most one call in this time waits for it.
constexpr milliseconds reconnect_interval{500};

// Replaces a record only if it is unchanged, and publishes the change.
constexpr const char* replace_script = R"(
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(ARGV[6]) then
    return redis.error_reply('ERR the command came too late')
end
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
)";

// Stores a record unless there is another one than expected; without one it is to be new.
constexpr const char* put_script = R"(
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(ARGV[4]) then
    return redis.error_reply('ERR the command came too late')
end
local present = redis.call('GET', KEYS[1])
if present and present ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
)";

// Removes a record and publishes that.
constexpr const char* remove_script = R"(
if redis.call('DEL', KEYS[1]) == 0 then
    return 0
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
)";

timeval to_timeval(milliseconds time) {
    return {static_cast<decltype(timeval::tv_sec)>(time.count() / 1'000),
            static_cast<decltype(timeval::tv_usec)>(time.count() % 1'000 * 1'000)};
}

/// Of this machine's clock that is never set.
milliseconds now_in_milliseconds() {
    return std::chrono::floor<milliseconds>(RedisStore::Clock::now().time_since_epoch());
}

std::string to_text(seconds ttl) {
    return std::to_string(ttl.count());
}

}  // namespace

std::string channel_of(const RedisAddress& address) {
    return address.prefix + "parley.games";
}

std::vector<std::string> login_command(const RedisAddress& address) {
    if (address.password.empty())
        return {};
    if (address.user.empty())
        return {"AUTH", address.password};
    return {"AUTH", address.user, address.password};
}

void RedisStore::Disconnect::operator()(redisContext* context) const {
    redisFree(context);
}

RedisStore::RedisStore(RedisConfig config) : config_{std::move(config)} {}

RedisStore::~RedisStore() = default;

std::optional<Error> RedisStore::ensure_open() {
    if (context_ && is_stale())
        context_.reset();
    if (context_)
        return std::nullopt;
    const auto now = Clock::now();
    if (now < next_attempt_)
        return Error{last_failure_};
    auto error = connect();
    if (!error)
        error = log_in();
    if (!error)
        return std::nullopt;
    context_.reset();
    next_attempt_ = Clock::now() + reconnect_interval;
    last_failure_ = "Redis at " + config_.address.host + ": " + error->reason;
    return Error{last_failure_};
}

/// Connects to the first address of the host that accepts a connection.
std::optional<Error> RedisStore::connect() {
    const auto addresses = host_lookup_.find(config_.address.host, lookup_timeout);
    if (!addresses)
        return addresses.error();
    Error error{"the name has no address"};
    const auto deadline = Clock::now() + connect_timeout;
    for (const auto& address : *addresses) {
        const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
        if (left <= milliseconds{0})
            break;
        context_.reset(
            redisConnectWithTimeout(address.c_str(), config_.address.port, to_timeval(left)));
        if (context_ && context_->err == 0) {
            redisSetTimeout(context_.get(), to_timeval(reply_timeout));
            return std::nullopt;
        }
        error.reason = context_ ? static_cast<const char*>(context_->errstr) : "no memory";
    }
    return error;
}

/// Begins a conversation: password, database, and what time it is there.
std::optional<Error> RedisStore::log_in() {
    const auto& address = config_.address;
    if (const auto login = login_command(address); !login.empty()) {
        if (const auto reply = send(login); !reply)
            return reply.error();
    }
    if (address.database != 0) {
        if (const auto reply = send({"SELECT", std::to_string(address.database)}); !reply)
            return reply.error();
    }
    const auto time = send({"TIME"});
    if (!time)
        return time.error();
    if ((*time)->type != REDIS_REPLY_ARRAY || (*time)->elements != 2)
        return Error{"not a Redis"};
    const auto number = [&](std::size_t i) {
        const auto* const element = (*time)->element[i];
        return core::read_integer({element->str, element->len}).value_or(0);
    };
    clock_offset_ = milliseconds{number(0) * 1'000 + number(1) / 1'000} - now_in_milliseconds();
    return std::nullopt;
}

/// Until when a change that is sent now may be made: milliseconds since 1970 on Redis's clock.
std::string RedisStore::latest_time() const {
    return std::to_string((now_in_milliseconds() + clock_offset_ + change_lifetime).count());
}

/// Why the last command has no reply. The connection ends; if Redis was silent, no call waits for it
/// for some time.
Error RedisStore::connection_failure() {
    const bool timed_out = context_->err == REDIS_ERR_IO && (errno == EAGAIN || errno == ETIMEDOUT);
    Error error{static_cast<const char*>(context_->errstr)};
    if (timed_out) {
        next_attempt_ = Clock::now() + reconnect_interval;
        last_failure_ = "Redis at " + config_.address.host + ": no answer";
        error.reason = "no answer";
    }
    context_.reset();
    return error;
}

// Between two commands there is nothing to read unless Redis has closed the connection.
bool RedisStore::is_stale() const {
#if defined(_WIN32)
    return false;
#else
    char byte = 0;
    return recv(context_->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
#endif
}

/// Sends a command and waits for its reply, on the connection that is open.
Result<RedisStore::Reply> RedisStore::send(const std::vector<std::string>& arguments) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const auto& argument : arguments) {
        texts.push_back(argument.data());
        sizes.push_back(argument.size());
    }
    auto* raw = static_cast<redisReply*>(redisCommandArgv(
        context_.get(), static_cast<int>(arguments.size()), texts.data(), sizes.data()));
    if (!raw)
        return connection_failure();
    const Reply reply{raw, freeReplyObject};
    if (reply->type == REDIS_REPLY_ERROR)
        return Error{std::string{reply->str, reply->len}};
    return reply;
}

/// The same, after connecting if that is needed. A reply that reports an error is an Error.
Result<RedisStore::Reply> RedisStore::command(const std::vector<std::string>& arguments) {
    if (const auto error = ensure_open())
        return *error;
    auto reply = send(arguments);
    if (!reply)
        return Error{"Redis: " + reply.reason()};
    return reply;
}

Result<std::optional<std::string>> RedisStore::get(const std::string& key) {
    const auto reply = command({"GET", key});
    if (!reply)
        return reply.error();
    if ((*reply)->type != REDIS_REPLY_STRING)
        return std::optional<std::string>{};
    return std::optional{std::string{(*reply)->str, (*reply)->len}};
}

Result<bool> RedisStore::add(const std::string& key, const std::string& record, seconds ttl) {
    const auto reply = command({"SET", key, record, "EX", to_text(ttl), "NX"});
    if (!reply)
        return reply.error();
    return (*reply)->type == REDIS_REPLY_STATUS;
}

std::string RedisStore::key_of_game(std::int64_t id) const {
    return config_.address.prefix + config_.game_key(id);
}

std::string RedisStore::key_of_session(const std::string& id) const {
    return config_.address.prefix + config_.session_key(id);
}

Result<std::optional<std::string>> RedisStore::find_game(std::int64_t id) {
    return get(key_of_game(id));
}

Result<bool> RedisStore::add_game(std::int64_t id, const std::string& record) {
    return add(key_of_game(id), record, config_.retention.new_game);
}

Result<bool> RedisStore::replace_game(std::int64_t id,
                                      const std::string& before,
                                      const std::string& after) {
    if (const auto error = ensure_open())
        return *error;  // latest_time() needs Redis's time
    const auto reply = command({"EVAL", replace_script, "1", key_of_game(id), before, after,
                                to_text(config_.retention.game), channel_of(config_.address),
                                config_.sender + " " + std::to_string(id), latest_time()});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<bool> RedisStore::remove_game(std::int64_t id) {
    const auto reply =
        command({"EVAL", remove_script, "1", key_of_game(id), channel_of(config_.address),
                 config_.sender + " " + std::to_string(id)});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<std::optional<std::string>> RedisStore::find_session(const std::string& id) {
    const auto key = key_of_session(id);
    auto record = get(key);
    if (record && *record) {
        const auto renewed = command({"EXPIRE", key, to_text(config_.retention.session)});
        if (!renewed)
            return renewed.error();
    }
    return record;
}

Result<bool> RedisStore::add_session(const std::string& id, const std::string& record) {
    return add(key_of_session(id), record, config_.retention.new_session);
}

std::string RedisStore::key_of_document(const std::string& id) const {
    return config_.address.prefix + config_.document_key(id);
}

Result<std::optional<std::string>> RedisStore::find_document(const std::string& id) {
    return get(key_of_document(id));
}

Result<bool> RedisStore::put_document(const std::string& id,
                                      const std::optional<std::string>& before,
                                      const std::string& after) {
    if (const auto error = ensure_open())
        return *error;
    const auto reply = command({"EVAL", put_script, "1", key_of_document(id), before.value_or(""),
                                after, to_text(config_.retention.document), latest_time()});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<bool> RedisStore::remove_document(const std::string& id) {
    const auto reply = command({"DEL", key_of_document(id)});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

void RedisStore::remove_expired() {
    // A failure shows again at the next call.
    static_cast<void>(command({"PING"}));
}

}  // namespace uci::store
