#pragma once

#include <string>

// Lua scripts that Redis runs, each as one step. `group` is always "w".
namespace uci::server::queue::scripts {

/// Takes jobs of the first stream that has some. KEYS: streams in order. ARGV: consumer, count.
/// Returns {number of the stream, entries}, or nothing.
inline constexpr const char* take = R"(
for i, stream in ipairs(KEYS) do
    local got = redis.call('XREADGROUP', 'GROUP', 'w', ARGV[1], 'COUNT', ARGV[2], 'STREAMS', stream, '>')
    if got then return {i, got[1][2]} end
end
return false
)";

/// A function that puts an entry aside, for the scripts below.
inline constexpr const char* put_aside_function = R"(
local function put_aside(stream, dead, prefix, id, fields, reason, deliveries)
    local of = {}
    for i = 1, #fields, 2 do of[fields[i]] = fields[i + 1] end
    redis.call('XADD', dead, 'MAXLEN', '~', 10000, '*', 'stream', stream, 'reason', reason,
               'deliveries', deliveries, 'id', of.id or '', 'from', of.from or '', 'job', of.job or '')
    if of.from and of.id and redis.call('EXISTS', prefix .. 'p:' .. of.from) == 1 then
        local replies = prefix .. 'r:' .. of.from
        redis.call('XADD', replies, '*', 'failed', of.id, 'text', reason)
        redis.call('EXPIRE', replies, 3600)
    end
    redis.call('XACK', stream, 'w', id)
    redis.call('XDEL', stream, id)
end
)";

/// Takes the job of a silent worker. KEYS: the three streams, dead. ARGV: consumer, silence in ms,
/// most deaths, prefix. Returns {number of the stream, entries with one element}, or nothing.
inline const std::string take_over = std::string{put_aside_function} + R"(
for i = 1, 3 do
    local stream = KEYS[i]
    local late = redis.call('XPENDING', stream, 'w', 'IDLE', ARGV[2], '-', '+', 16)
    for _, held in ipairs(late) do
        local id = held[1]
        local entry = redis.call('XRANGE', stream, id, id)[1]
        if not entry then
            redis.call('XACK', stream, 'w', id)
        elseif held[4] >= tonumber(ARGV[3]) then
            put_aside(stream, KEYS[4], ARGV[4], id, entry[2],
                      held[4] .. ' workers fell silent over it, the last one ' .. held[2], held[4])
        else
            return {i, redis.call('XCLAIM', stream, 'w', ARGV[1], 0, id)}
        end
    end
end
return false
)";

/// Puts a job aside. KEYS: stream, dead. ARGV: entry, reason, prefix.
inline const std::string put_aside = std::string{put_aside_function} + R"(
local entry = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if not entry then return 0 end
put_aside(KEYS[1], KEYS[2], ARGV[3], ARGV[1], entry[2], ARGV[2], 1)
return 1
)";

/// Finishes jobs; of each, only the first one counts. KEYS: stream, counts. ARGV: prefix, priority,
/// kind of reply, then for each job: entry, producer, id, text. Returns how many were first.
inline constexpr const char* finish = R"(
local done, to = 0, {}
for i = 4, #ARGV, 4 do
    if redis.call('XACK', KEYS[1], 'w', ARGV[i]) == 1 then
        redis.call('XDEL', KEYS[1], ARGV[i])
        done = done + 1
        local from = ARGV[i + 1]
        if to[from] == nil then to[from] = redis.call('EXISTS', ARGV[1] .. 'p:' .. from) == 1 end
        if to[from] then
            redis.call('XADD', ARGV[1] .. 'r:' .. from, '*', ARGV[3], ARGV[i + 2], 'text', ARGV[i + 3])
        end
    end
end
for from, lives in pairs(to) do
    if lives then redis.call('EXPIRE', ARGV[1] .. 'r:' .. from, 3600) end
end
if done > 0 then redis.call('HINCRBY', KEYS[2], ARGV[2], done) end
return done
)";

/// Puts entries back at the end of a stream. KEYS: stream. ARGV: entries.
inline constexpr const char* give_back = R"(
for _, id in ipairs(ARGV) do
    local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
    if redis.call('XACK', KEYS[1], 'w', id) == 1 and entry then
        redis.call('XADD', KEYS[1], '*', unpack(entry[2]))
    end
    redis.call('XDEL', KEYS[1], id)
end
return 0
)";

/// Keeps a worker and its jobs. KEYS: workers, seen. ARGV: worker, description, prefix, then for
/// each job: stream, consumer, entry, producer, id. Returns a number for each, as HeldState.
inline constexpr const char* keep = R"(
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
local states = {}
for i = 4, #ARGV, 5 do
    local stream, consumer, id, from = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
    local held = redis.call('XPENDING', stream, 'w', id, id, 1)[1]
    local state = 0
    if not held or held[2] ~= consumer then
        state = 1
    else
        redis.call('XCLAIM', stream, 'w', consumer, 0, id, 'JUSTID')
        if redis.call('EXISTS', ARGV[3] .. 'p:' .. from) == 0 then
            state = 2
        elseif redis.call('EXISTS', ARGV[3] .. 's:' .. from .. ':' .. ARGV[i + 4]) == 1 then
            state = 3
        end
    end
    states[#states + 1] = state
end
return states
)";

/// Removes consumers without jobs. KEYS: the three streams. ARGV: consumers.
inline constexpr const char* remove_consumers = R"(
for _, stream in ipairs(KEYS) do
    for _, consumer in ipairs(ARGV) do
        local held = redis.call('XPENDING', stream, 'w', '-', '+', 1, consumer)
        if #held == 0 then redis.call('XGROUP', 'DELCONSUMER', stream, 'w', consumer) end
    end
end
return 0
)";

/// Removes what has been silent for an hour. KEYS: the three streams, workers, seen.
inline constexpr const char* remove_silent = R"(
local hour = 3600000
local time = redis.call('TIME')
local before = time[1] * 1000 + math.floor(time[2] / 1000) - hour
for _, worker in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', before)) do
    redis.call('HDEL', KEYS[4], worker)
    redis.call('ZREM', KEYS[5], worker)
end
for i = 1, 3 do
    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[i], 'w')) do
        local of = {}
        for j = 1, #consumer, 2 do of[consumer[j]] = consumer[j + 1] end
        if of.pending == 0 and of.idle > hour then
            redis.call('XGROUP', 'DELCONSUMER', KEYS[i], 'w', of.name)
        end
    end
end
return 0
)";

}  // namespace uci::server::queue::scripts
