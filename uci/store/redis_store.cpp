#include "uci/store/redis_store.hpp"

#include <cerrno>
#include <hiredis/hiredis.h>
#if !defined(_WIN32)
#include <sys/socket.h>
#endif

#include <utility>

#include "uci/chezz/limits.hpp"
#include "uci/chezz/record.hpp"

namespace uci::store {

namespace {

using chezz::GameId;
using chezz::Limits;
using core::Error;
using core::Result;
using std::chrono::seconds;

constexpr timeval longest_connecting{1, 0};
constexpr timeval longest_answer{2, 0};
/// While Redis is away, nobody waits for more than one attempt in that time.
constexpr std::chrono::milliseconds between_attempts{500};

/// Puts a record in the place of another only if that is still there, and tells the others.
constexpr const char* replacement = R"(
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
)";

std::string in_seconds(seconds life) {
    return std::to_string(life.count());
}

}  // namespace

std::string channel_of(const chezz::RedisPlace& place) {
    return place.prefix + "parley.games";
}

void RedisStore::Disconnect::operator()(redisContext* context) const {
    redisFree(context);
}

RedisStore::RedisStore(chezz::RedisPlace place, std::string sender)
    : place_{std::move(place)},
      sender_{std::move(sender)} {}

RedisStore::~RedisStore() = default;

std::optional<Error> RedisStore::connect() {
    if (context_ && is_stale())
        context_.reset();
    if (context_)
        return std::nullopt;
    const auto now = Clock::now();
    if (now < next_attempt_)
        return Error{last_failure_};
    context_.reset(redisConnectWithTimeout(place_.host.c_str(), place_.port, longest_connecting));
    if (context_ && context_->err == 0) {
        redisSetTimeout(context_.get(), longest_answer);
        return std::nullopt;
    }
    next_attempt_ = Clock::now() + between_attempts;
    last_failure_ = "Redis at " + place_.host + ": "
                  + (context_ ? static_cast<const char*>(context_->errstr) : "no memory");
    context_.reset();
    return Error{last_failure_};
}

/// Whether Redis has closed the connection: between two commands there is nothing else to read.
bool RedisStore::is_stale() const {
#if defined(_WIN32)
    return false;
#else
    char byte = 0;
    return recv(context_->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
#endif
}

/// Says a command and waits for its reply, which is none that is an error.
Result<RedisStore::Reply> RedisStore::ask(const std::vector<std::string>& words) {
    if (const auto error = connect())
        return *error;
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const auto& word : words) {
        texts.push_back(word.data());
        sizes.push_back(word.size());
    }
    auto* raw = static_cast<redisReply*>(redisCommandArgv(
        context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data()));
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
    const auto reply = ask({"GET", key});
    if (!reply)
        return reply.error();
    if ((*reply)->type != REDIS_REPLY_STRING)
        return std::optional<std::string>{};
    return std::optional{std::string{(*reply)->str, (*reply)->len}};
}

Result<bool> RedisStore::add(const std::string& key, const std::string& record, seconds life) {
    const auto reply = ask({"SET", key, record, "EX", in_seconds(life), "NX"});
    if (!reply)
        return reply.error();
    return (*reply)->type == REDIS_REPLY_STATUS;
}

Result<std::optional<std::string>> RedisStore::find_game(GameId id) {
    return get(place_.prefix + chezz::game_key(id));
}

Result<bool> RedisStore::add_game(GameId id, const std::string& record) {
    return add(place_.prefix + chezz::game_key(id), record, Limits::game_in_redis);
}

Result<bool> RedisStore::replace_game(GameId id,
                                      const std::string& before,
                                      const std::string& after) {
    const auto reply = ask({"EVAL", replacement, "1", place_.prefix + chezz::game_key(id), before,
                            after, in_seconds(Limits::game_in_redis), channel_of(place_),
                            sender_ + " " + std::to_string(number(id))});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<std::optional<std::string>> RedisStore::find_session(const std::string& id) {
    const auto key = place_.prefix + chezz::session_key(id);
    auto record = get(key);
    if (record && *record) {
        const auto renewed = ask({"EXPIRE", key, in_seconds(Limits::session)});
        if (!renewed)
            return renewed.error();
    }
    return record;
}

Result<bool> RedisStore::add_session(const std::string& id, const std::string& record) {
    return add(place_.prefix + chezz::session_key(id), record, Limits::session);
}

void RedisStore::clear_away() {
    ask({"PING"});
}

}  // namespace uci::store
