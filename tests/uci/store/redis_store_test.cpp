#if defined(PARLEY_REDIS) && !defined(_WIN32)

#include "uci/store/redis_store.hpp"

#include <csignal>
#include <cstdlib>
#include <hiredis/hiredis.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>

#include "tests/uci/store/contract.hpp"

extern char** environ;

using uci::chezz::GameId;
using uci::chezz::RedisPlace;
using uci::store::RedisStore;

namespace {

constexpr GameId id{2'123'936'455'100'207'104};

/// A redis-server of the test's own that forgets everything in the end.
class Server {
public:
    /// Starts on a port that is free; is not there when the system has no redis-server.
    Server() {
        for (int port = 20'000 + getpid() % 20'000; port < 65'000 && !process_; port += 997)
            start(port);
    }
    ~Server() { end(); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    bool is_there() const { return process_ != 0; }
    RedisPlace place(const std::string& prefix = "") const { return {"127.0.0.1", port_, prefix}; }

    void start(int port) {
        const std::string text = std::to_string(port);
        const char* const words[] = {"redis-server", "--port",    text.c_str(), "--bind",
                                     "127.0.0.1",    "--save",    "",           "--appendonly",
                                     "no",           "--logfile", "/dev/null",  nullptr};
        if (posix_spawnp(&process_, words[0], nullptr, nullptr, const_cast<char* const*>(words),
                         environ)
            != 0) {
            process_ = 0;
            return;
        }
        port_ = port;
        for (int i = 0; i < 500; ++i) {
            if (waitpid(process_, nullptr, WNOHANG) != 0)
                break;
            if (answers())
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
        process_ = 0;
    }
    void end() {
        if (!is_there())
            return;
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
        process_ = 0;
    }
    /// The reply to a command, a number as its digits.
    std::string ask(const std::string& command) const {
        redisContext* context = redisConnect("127.0.0.1", port_);
        auto* reply = static_cast<redisReply*>(redisCommand(context, command.c_str()));
        REQUIRE(reply);
        std::string text = reply->type == REDIS_REPLY_INTEGER ? std::to_string(reply->integer)
                         : reply->str                         ? std::string{reply->str, reply->len}
                                                              : "";
        freeReplyObject(reply);
        redisFree(context);
        return text;
    }

    int port() const { return port_; }

private:
    bool answers() const {
        redisContext* context = redisConnect("127.0.0.1", port_);
        const bool connected = context && context->err == 0;
        redisFree(context);
        return connected;
    }

    pid_t process_ = 0;
    int port_ = 0;
};

/// Ends the test here, with a word, where there is no redis-server.
bool is_missing(const Server& server) {
    if (!server.is_there())
        WARN("there is no redis-server: nothing was tested");
    return !server.is_there();
}

}  // namespace

TEST_CASE("Redis keeps games and sessions", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.place(), "me"};
    tests::check_store(store);
}

TEST_CASE("Redis has chezz-back's keys and lives", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.place("chezz:"), "me"};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.add_session("-P6v", "mine"));
    CHECK(server.ask("GET chezz:game.{ABDA6/O8eR0}") == "record");
    CHECK(server.ask("TTL chezz:game.{ABDA6/O8eR0}") == "86400");
    CHECK(server.ask("GET chezz:session.-P6v") == "mine");
    CHECK(server.ask("TTL chezz:session.-P6v") == "2592000");
    server.ask("EXPIRE chezz:game.{ABDA6/O8eR0} 100");
    server.ask("EXPIRE chezz:session.-P6v 100");
    REQUIRE(store.find_session("-P6v"));
    REQUIRE(store.replace_game(id, "record", "another"));
    CHECK(server.ask("TTL chezz:game.{ABDA6/O8eR0}") == "86400");
    CHECK(server.ask("TTL chezz:session.-P6v") == "2592000");
}

TEST_CASE("who listens to Redis is told which game has changed", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.place("chezz:"), "me"};
    redisContext* context = redisConnect("127.0.0.1", server.port());
    freeReplyObject(redisCommand(context, "SUBSCRIBE %s",
                                 uci::store::channel_of(server.place("chezz:")).c_str()));
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.replace_game(id, "nonsense", "another"));
    REQUIRE(store.replace_game(id, "record", "another"));
    void* raw = nullptr;
    REQUIRE(redisGetReply(context, &raw) == REDIS_OK);
    auto* reply = static_cast<redisReply*>(raw);
    CHECK(std::string{reply->element[2]->str} == "me 2123936455100207104");
    freeReplyObject(reply);
    redisFree(context);
}

TEST_CASE("a Redis that is away fails, and is found when it is back", "[store]") {
    Server server;
    if (is_missing(server))
        return;
    const int port = server.port();
    RedisStore store{server.place(), "me"};
    REQUIRE(store.add_game(id, "record"));
    server.end();
    CHECK_FALSE(store.find_game(id));
    CHECK_FALSE(store.replace_game(id, "record", "another"));
    CHECK_FALSE(store.add_session("-P6v", "mine"));
    server.start(port);
    REQUIRE(server.is_there());
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    CHECK(*store.add_game(id, "record"));
    // One that was restarted between two commands is not even noticed.
    server.end();
    server.start(port);
    REQUIRE(server.is_there());
    CHECK(*store.add_game(id, "record"));
}

#endif
