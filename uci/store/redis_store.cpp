#include "uci/store/redis_store.hpp"

#include <cerrno>
#include <hiredis/hiredis.h>
#if !defined(_WIN32)
#include <sys/socket.h>
#endif

#include <utility>

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using std::chrono::seconds;

constexpr timeval connect_timeout{1, 0};
constexpr timeval reply_timeout{2, 0};
// While Redis cannot be reached, at most one call in this time waits for an attempt to connect.
constexpr std::chrono::milliseconds reconnect_interval{500};

// Replaces a record only if it is unchanged, and publishes the change.
constexpr const char* replace_script = R"(
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
)";

std::string to_text(seconds ttl) {
    return std::to_string(ttl.count());
}

}  // namespace

std::string channel_of(const RedisAddress& address) {
    return address.prefix + "parley.games";
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
    const auto& address = config_.address;
    context_.reset(redisConnectWithTimeout(address.host.c_str(), address.port, connect_timeout));
    if (context_ && context_->err == 0) {
        redisSetTimeout(context_.get(), reply_timeout);
        return std::nullopt;
    }
    next_attempt_ = Clock::now() + reconnect_interval;
    last_failure_ = "Redis at " + address.host + ": "
                  + (context_ ? static_cast<const char*>(context_->errstr) : "no memory");
    context_.reset();
    return Error{last_failure_};
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

/// Sends a command and waits for its reply. A reply that reports an error is an Error.
Result<RedisStore::Reply> RedisStore::command(const std::vector<std::string>& arguments) {
    if (const auto error = ensure_open())
        return *error;
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const auto& argument : arguments) {
        texts.push_back(argument.data());
        sizes.push_back(argument.size());
    }
    auto* raw = static_cast<redisReply*>(redisCommandArgv(
        context_.get(), static_cast<int>(arguments.size()), texts.data(), sizes.data()));
    if (!raw) {
        const Error error{"Redis: " + std::string{static_cast<const char*>(context_->errstr)}};
        context_.reset();
        return error;
    }
    const Reply reply{raw, freeReplyObject};
    if (reply->type == REDIS_REPLY_ERROR)
        return Error{"Redis: " + std::string{reply->str, reply->len}};
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
    const auto reply = command({"EVAL", replace_script, "1", key_of_game(id), before, after,
                                to_text(config_.retention.game), channel_of(config_.address),
                                config_.sender + " " + std::to_string(id)});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<bool> RedisStore::remove_game(std::int64_t id) {
    const auto removed = command({"DEL", key_of_game(id)});
    if (!removed)
        return removed.error();
    const auto published = command(
        {"PUBLISH", channel_of(config_.address), config_.sender + " " + std::to_string(id)});
    if (!published)
        return published.error();
    return (*removed)->integer == 1;
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

void RedisStore::remove_expired() {
    // A failure shows again at the next call.
    static_cast<void>(command({"PING"}));
}

}  // namespace uci::store
