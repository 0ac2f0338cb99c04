#include "uci/store/redis_store.hpp"

#include <hiredis/hiredis.h>
#include <utility>

#include "core/text.hpp"

namespace uci::store {

namespace {

using core::Error;
using core::Result;
using std::chrono::seconds;

using std::chrono::milliseconds;

// A Redis that hung carries out what it finds in its buffers when it goes on. A change that was
// reported as failed must not be made then, so each says until when it may be made: so long before
// its caller gives up.
constexpr milliseconds reply_margin{300};
// Begins every script that changes something. The last argument is the latest time.
constexpr const char* check_time = R"(
local now = redis.call('TIME')
if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(ARGV[#ARGV]) then
    return redis.error_reply('ERR the command came too late')
end
)";

constexpr const char* add_script = R"(
return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2], 'NX') and 1 or 0
)";

// Replaces a record only if it is unchanged, and publishes the change.
constexpr const char* replace_script = R"(
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
)";

// Stores a document unless there is another one than expected, and publishes that; without one it
// is to be new. A sorted set tells when each document expires, so that the one that would expire
// first makes space. Each call removes a thousand at most, so that no other client of Redis waits
// for long.
constexpr const char* put_script = R"(
local present = redis.call('GET', KEYS[1])
if present and present ~= ARGV[1] then
    return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('PUBLISH', ARGV[5], ARGV[6])
local function microseconds(seconds)
    return string.format('%.0f', seconds * 1000000 + now[2])
end
redis.call('ZADD', KEYS[2], microseconds(now[1] + ARGV[3]), KEYS[1])
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', microseconds(now[1]))
local excess = math.min(redis.call('ZCARD', KEYS[2]) - ARGV[4], 1000)
if excess > 0 then
    for _, key in ipairs(redis.call('ZRANGE', KEYS[2], 0, excess - 1)) do
        redis.call('DEL', key)
        redis.call('ZREM', KEYS[2], key)
    end
end
return 1
)";

// Renews a lease and returns the shared time, which stands while no process runs. It is kept as its
// difference to Redis's clock, with the time of the last renewal. A new process goes on from that
// one; if others run, their next renewal sets the time right, as the highest is taken.
constexpr const char* lease_script = R"(
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local offset, last = unpack(redis.call('HMGET', KEYS[2], 'offset', 'last'))
local time = tonumber(ARGV[1]) or 0
if offset and ARGV[1] ~= '' then
    time = math.max(time, offset + now)
elseif offset then
    time = offset + math.min(last, now)
end
redis.call('HMSET', KEYS[2], 'offset', string.format('%.0f', time - now), 'last', string.format('%.0f', now))
redis.call('EXPIRE', KEYS[2], ARGV[3])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
return string.format('%.0f', time)
)";

// Removes a record, also from the sorted set of documents if it is named, and publishes that.
constexpr const char* remove_script = R"(
if KEYS[2] then
    redis.call('ZREM', KEYS[2], KEYS[1])
end
if redis.call('DEL', KEYS[1]) == 0 then
    return 0
end
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
)";

// A Redis that lacks memory, or is a replica, refuses it. It leaves nothing.
constexpr const char* try_script = R"(
redis.call('SET', KEYS[1], '1')
redis.call('DEL', KEYS[1])
return 1
)";

std::string to_text(seconds ttl) {
    return std::to_string(ttl.count());
}

}  // namespace

std::string channel_of(const RedisAddress& address) {
    return address.prefix + "parley.games";
}

RedisStore::RedisStore(RedisConfig config)
    : config_{std::move(config)},
      connection_{config_.address} {}

RedisStore::~RedisStore() = default;

/// Runs a script on keys, unless it comes too late. Whether it answers 1.
Result<bool> RedisStore::change(const char* script,
                                const std::vector<std::string>& keys,
                                const std::vector<std::string>& arguments) {
    if (const auto error = connection_.ensure_open())
        return *error;  // server_time() needs Redis's time
    const auto lifetime = connection_.reply_time() - reply_margin;
    if (lifetime <= milliseconds{0})
        return Error{"Redis: no time is left"};
    RedisCommand command{"EVAL", std::string{check_time} + script, std::to_string(keys.size())};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back(std::to_string((connection_.server_time() + lifetime).count()));
    const auto reply = write(command);
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

/// Sends a command that changes something. If Redis refuses it, the connection ends: it may be a
/// replica by now, and the host's name may lead to the new master.
Result<RedisReply> RedisStore::write(const RedisCommand& command) {
    auto reply = connection_.command(command);
    if (!reply)
        connection_.close();
    return reply;
}

Result<std::optional<std::string>> RedisStore::get(const std::string& key) {
    const auto reply = connection_.command({"GET", key});
    if (!reply)
        return reply.error();
    if ((*reply)->type != REDIS_REPLY_STRING)
        return std::optional<std::string>{};
    return std::optional{std::string{(*reply)->str, (*reply)->len}};
}

Result<bool> RedisStore::add(const std::string& key, const std::string& record, seconds ttl) {
    return change(add_script, {key}, {record, to_text(ttl)});
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
    return change(replace_script, {key_of_game(id)},
                  {before, after, to_text(config_.retention.game), channel_of(config_.address),
                   config_.sender + " " + std::to_string(id)});
}

Result<bool> RedisStore::remove_game(std::int64_t id) {
    return change(remove_script, {key_of_game(id)},
                  {channel_of(config_.address), config_.sender + " " + std::to_string(id)});
}

Result<std::optional<std::string>> RedisStore::find_session(const std::string& id) {
    const auto key = key_of_session(id);
    auto record = get(key);
    if (record && *record) {
        const auto renewed = write({"EXPIRE", key, to_text(config_.retention.session)});
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

/// The sorted set of all documents.
std::string RedisStore::key_of_index() const {
    return key_of_document("*");
}

Result<std::optional<std::string>> RedisStore::find_document(const std::string& id) {
    return get(key_of_document(id));
}

Result<bool> RedisStore::put_document(const std::string& id,
                                      const std::optional<std::string>& before,
                                      const std::string& after) {
    return change(put_script, {key_of_document(id), key_of_index()},
                  {before.value_or(""), after, to_text(config_.retention.document),
                   std::to_string(config_.max_documents), channel_of(config_.address),
                   config_.sender + " " + id});
}

Result<bool> RedisStore::remove_document(const std::string& id) {
    return change(remove_script, {key_of_document(id), key_of_index()},
                  {channel_of(config_.address), config_.sender + " " + id});
}

void RedisStore::set_deadline(std::chrono::steady_clock::time_point deadline) {
    connection_.set_deadline(deadline);
}

std::string RedisStore::key_of_lease(const std::string& name) const {
    return config_.address.prefix + config_.lease_key(name);
}

Result<std::optional<milliseconds>> RedisStore::renew_lease(const Lease& lease) {
    // The time must outlive the documents that refer to it.
    const auto time_to_live = 2 * config_.retention.document;
    const auto reply =
        write({"EVAL", lease_script, "2", key_of_lease(lease.name), key_of_lease("*"),
               lease.time ? std::to_string(lease.time->count()) : "",
               std::to_string(lease.lifetime.count()), to_text(time_to_live)});
    if (!reply)
        return reply.error();
    const auto time = core::read_integer(text_of(**reply));
    if (!time)
        return Error{"Redis has no shared time"};
    return std::optional{milliseconds{*time}};
}

Result<bool> RedisStore::end_lease(const std::string& name) {
    const auto reply = write({"DEL", key_of_lease(name)});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<bool> RedisStore::has_lease(const std::string& name) {
    const auto reply = connection_.command({"EXISTS", key_of_lease(name)});
    if (!reply)
        return reply.error();
    return (*reply)->integer == 1;
}

Result<bool> RedisStore::try_change() {
    return change(try_script, {config_.address.prefix + "parley.try"}, {});
}

void RedisStore::remove_expired() {
    // A failure shows again at the next call.
    static_cast<void>(connection_.ensure_open());
}

}  // namespace uci::store
