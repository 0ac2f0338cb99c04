#if defined(PARLEY_REDIS) && !defined(_WIN32)

#include "uci/store/redis_store.hpp"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <hiredis/hiredis.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

#include "tests/uci/store/contract.hpp"

extern char** environ;

using uci::store::RedisConfig;
using uci::store::RedisStore;

namespace {

constexpr std::int64_t id{2'123'936'455'100'207'104};

/// A redis-server of the test's own, which saves nothing.
class Server {
public:
    /// Starts on a free port. is_there() is false if the system has no redis-server.
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
    RedisConfig config(const std::string& prefix = "") const {
        RedisConfig config;
        config.address = {.host = "127.0.0.1", .port = port_, .prefix = prefix};
        config.retention.new_game = config.retention.game = std::chrono::hours{24};
        config.retention.new_session = config.retention.session = std::chrono::hours{30 * 24};
        config.game_key = [](std::int64_t number) { return "game." + std::to_string(number); };
        config.session_key = [](const std::string& name) { return "session." + name; };
        config.document_key = [](const std::string& name) { return "document." + name; };
        config.lease_key = [](const std::string& name) { return "lease." + name; };
        config.sender = "me";
        return config;
    }

    void start(int port) {
        const std::string text = std::to_string(port);
        const char* const arguments[] = {"redis-server", "--port",    text.c_str(), "--bind",
                                         "127.0.0.1",    "--save",    "",           "--appendonly",
                                         "no",           "--logfile", "/dev/null",  nullptr};
        if (posix_spawnp(&process_, arguments[0], nullptr, nullptr,
                         const_cast<char* const*>(arguments), environ)
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
    /// Stops the process: it accepts connections and does not answer.
    void pause() const { kill(process_, SIGSTOP); }
    void resume() const { kill(process_, SIGCONT); }
    /// The reply to a command; a number as its digits.
    std::string run(const std::string& command) const {
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

/// Whether the system has no redis-server. Then warns that the test was skipped, or fails where
/// skips are failures.
bool is_missing(const Server& server) {
    if (!server.is_there() && std::getenv("PARLEY_SKIPS"))
        FAIL("no redis-server found");
    if (!server.is_there())
        WARN("skipped: no redis-server found");
    return !server.is_there();
}

}  // namespace

TEST_CASE("Redis keeps games and sessions", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    tests::check_store(store);
    const auto size = server.run("DBSIZE");
    CHECK(*store.try_change());
    CHECK(server.run("DBSIZE") == size);
    server.run("CONFIG SET maxmemory 1");
    CHECK_FALSE(store.try_change());
}

TEST_CASE("Redis keeps documents, under their keys and with their time to live", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config("serve:")};
    tests::check_documents(store);
    CHECK(server.run("GET serve:document.a") == "again");
    CHECK(server.run("TTL serve:document.a") == "86400");
}

TEST_CASE("of too many documents in Redis the one that would expire first is removed", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    auto config = server.config("serve:");
    config.max_documents = 3;
    RedisStore store{config};
    for (const std::string document : {"a", "b", "c"})
        REQUIRE(*store.put_document(document, {}, "record"));
    REQUIRE(*store.put_document("a", "record", "again"));
    REQUIRE(*store.put_document("d", {}, "record"));
    CHECK_FALSE(*store.find_document("b"));
    CHECK(**store.find_document("a") == "again");
    CHECK(*store.find_document("c"));
    CHECK(*store.find_document("d"));

    // A removed document and an expired one leave their places.
    REQUIRE(*store.remove_document("c"));
    REQUIRE(*store.put_document("e", {}, "record"));
    CHECK(*store.find_document("a"));
    server.run("DEL serve:document.d");
    server.run("ZADD serve:document.* 1 serve:document.d");
    REQUIRE(*store.put_document("f", {}, "record"));
    CHECK(*store.find_document("a"));
    CHECK(*store.find_document("e"));
    CHECK(server.run("ZCARD serve:document.*") == "3");
    CHECK(server.run("TTL serve:document.*") == "86400");

    // Another process with a smaller limit makes space for its own.
    config.max_documents = 1;
    RedisStore other{config};
    REQUIRE(*other.put_document("g", {}, "record"));
    CHECK(*other.find_document("g"));
    CHECK_FALSE(*store.find_document("a"));
    CHECK_FALSE(*store.find_document("f"));
    CHECK(server.run("DBSIZE") == "2");
}

TEST_CASE("Redis uses the configured keys and times to live", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config("chezz:")};
    REQUIRE(store.add_game(id, "record"));
    REQUIRE(store.add_session("-P6v", "mine"));
    CHECK(server.run("GET chezz:game.2123936455100207104") == "record");
    CHECK(server.run("TTL chezz:game.2123936455100207104") == "86400");
    CHECK(server.run("GET chezz:session.-P6v") == "mine");
    CHECK(server.run("TTL chezz:session.-P6v") == "2592000");
    server.run("EXPIRE chezz:game.2123936455100207104 100");
    server.run("EXPIRE chezz:session.-P6v 100");
    REQUIRE(store.find_session("-P6v"));
    REQUIRE(store.replace_game(id, "record", "another"));
    CHECK(server.run("TTL chezz:game.2123936455100207104") == "86400");
    CHECK(server.run("TTL chezz:session.-P6v") == "2592000");
}

TEST_CASE("a replaced game is published to the subscribers", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config("chezz:")};
    redisContext* context = redisConnect("127.0.0.1", server.port());
    freeReplyObject(redisCommand(context, "SUBSCRIBE %s",
                                 uci::store::channel_of(server.config("chezz:").address).c_str()));
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

TEST_CASE("calls fail while Redis is down and work again after its restart", "[store]") {
    Server server;
    if (is_missing(server))
        return;
    const int port = server.port();
    RedisStore store{server.config()};
    REQUIRE(store.add_game(id, "record"));
    server.end();
    CHECK_FALSE(store.find_game(id));
    CHECK_FALSE(store.replace_game(id, "record", "another"));
    CHECK_FALSE(store.add_session("-P6v", "mine"));
    server.start(port);
    REQUIRE(server.is_there());
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    CHECK(*store.add_game(id, "record"));
    // A restart between two commands fails neither of them.
    server.end();
    server.start(port);
    REQUIRE(server.is_there());
    CHECK(*store.add_game(id, "record"));
}

TEST_CASE("the store logs in to Redis with user and password and selects a database", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    server.run("ACL SETUSER parley on >hush ~* &* +@all");
    server.run("CONFIG SET requirepass secret");
    const auto added = [&](const std::string& user, const std::string& password, int database) {
        auto config = server.config();
        config.address.user = user;
        config.address.password = password;
        config.address.database = database;
        RedisStore store{config};
        const auto done = store.add_game(id, "record");
        return done ? std::string{*done ? "new" : "taken"} : done.reason();
    };
    CHECK(added("", "", 0).find("NOAUTH") != std::string::npos);
    CHECK(added("", "wrong", 0).find("WRONGPASS") != std::string::npos);
    CHECK(added("", "secret", 0) == "new");
    CHECK(added("parley", "hush", 0) == "taken");
    CHECK(added("parley", "hush", 3) == "new");
    CHECK(added("parley", "hush", 1'000).find("out of range") != std::string::npos);
}

TEST_CASE("a change that Redis refuses ends the connection", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    const auto is_connected = [&] {
        return server.run("CLIENT LIST").find("cmd=eval") != std::string::npos;
    };
    RedisStore store{server.config()};
    REQUIRE(*store.add_game(id, "record"));
    REQUIRE(is_connected());
    server.run("REPLICAOF 127.0.0.1 1");
    const auto refused = store.replace_game(id, "record", "another");
    REQUIRE_FALSE(refused);
    CHECK(refused.reason().find("READONLY") != std::string::npos);
    for (int i = 0; i < 100 && is_connected(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
    CHECK_FALSE(is_connected());
    server.run("REPLICAOF NO ONE");
    CHECK(*store.replace_game(id, "record", "another"));
}

TEST_CASE("a Redis that hung does not make the changes that failed", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    REQUIRE(store.add_game(id, "record"));
    server.pause();
    const auto began = std::chrono::steady_clock::now();
    const auto refused = store.replace_game(id, "record", "too late");
    const auto also_refused = store.put_document("a", {}, "too late");
    const auto seconds = std::chrono::steady_clock::now() - began;
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    const auto again = std::chrono::steady_clock::now();
    store.set_deadline(again + std::chrono::milliseconds{700});
    CHECK_FALSE(store.find_game(id));
    CHECK(std::chrono::steady_clock::now() - again < std::chrono::milliseconds{900});
    server.resume();
    REQUIRE_FALSE(refused);
    CHECK(refused.reason() == "Redis: no answer");
    CHECK_FALSE(also_refused);
    CHECK(seconds > std::chrono::milliseconds{1'400});
    CHECK(seconds < std::chrono::milliseconds{1'900});
    store.set_deadline(std::chrono::steady_clock::time_point::max());
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    CHECK(**store.find_game(id) == "record");
    CHECK(*store.replace_game(id, "record", "in time"));
    CHECK(**store.find_game(id) == "in time");
    CHECK_FALSE(*store.find_document("a"));
}

TEST_CASE("a Redis that hung adds and removes nothing of what failed", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    REQUIRE(*store.add_game(id, "record"));
    REQUIRE(*store.put_document("a", {}, "record"));
    const std::vector<std::function<bool()>> changes{
        [&] { return static_cast<bool>(store.add_game(id + 1, "too late")); },
        [&] { return static_cast<bool>(store.add_session("-P6v", "too late")); },
        [&] { return static_cast<bool>(store.remove_game(id)); },
        [&] { return static_cast<bool>(store.remove_document("a")); },
    };
    for (const auto& change : changes) {
        REQUIRE(store.find_game(id));  // connects
        server.pause();
        store.set_deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds{500});
        const auto began = std::chrono::steady_clock::now();
        CHECK_FALSE(change());
        CHECK(std::chrono::steady_clock::now() - began < std::chrono::milliseconds{700});
        server.resume();
        std::this_thread::sleep_for(std::chrono::milliseconds{600});
        store.set_deadline(std::chrono::steady_clock::time_point::max());
    }
    CHECK(server.run("DBSIZE") == "3");  // the game, the document and the list of documents
    CHECK(**store.find_game(id) == "record");
    CHECK(**store.find_document("a") == "record");
}

TEST_CASE("without time left a change is not even sent", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    REQUIRE(*store.add_game(id, "record"));
    for (const int left : {-100, 0, 20, 200}) {
        store.set_deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds{left});
        CHECK_FALSE(store.replace_game(id, "record", "too late"));
    }
    store.set_deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds{1'000});
    CHECK(*store.replace_game(id, "record", "in time"));
}

TEST_CASE("a Redis that hung does not store the documents that failed", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    REQUIRE(*store.put_document("a", {}, "record"));
    server.pause();
    const auto refused = store.put_document("a", "record", "too late");
    server.resume();
    REQUIRE_FALSE(refused);
    std::this_thread::sleep_for(std::chrono::milliseconds{600});
    CHECK(**store.find_document("a") == "record");
    CHECK(*store.put_document("a", "record", "in time"));
}

TEST_CASE("a removed game is gone and published once", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    redisContext* context = redisConnect("127.0.0.1", server.port());
    freeReplyObject(redisCommand(context, "SUBSCRIBE %s",
                                 uci::store::channel_of(server.config().address).c_str()));
    REQUIRE(store.add_game(id, "record"));
    CHECK(*store.remove_game(id));
    CHECK_FALSE(*store.find_game(id));
    CHECK_FALSE(*store.remove_game(id));
    REQUIRE(store.add_game(id + 1, "record"));
    CHECK(*store.remove_game(id + 1));
    for (const std::string number : {"2123936455100207104", "2123936455100207105"}) {
        void* raw = nullptr;
        REQUIRE(redisGetReply(context, &raw) == REDIS_OK);
        auto* reply = static_cast<redisReply*>(raw);
        CHECK(std::string{reply->element[2]->str} == "me " + number);
        freeReplyObject(reply);
    }
    redisFree(context);
}

TEST_CASE("a removed document is published", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    REQUIRE(store.put_document("a", {}, "record"));
    redisContext* context = redisConnect("127.0.0.1", server.port());
    freeReplyObject(redisCommand(context, "SUBSCRIBE %s",
                                 uci::store::channel_of(server.config().address).c_str()));
    CHECK_FALSE(*store.remove_document("b"));
    CHECK(*store.remove_document("a"));
    void* raw = nullptr;
    REQUIRE(redisGetReply(context, &raw) == REDIS_OK);
    auto* reply = static_cast<redisReply*>(raw);
    CHECK(std::string{reply->element[2]->str} == "me a");
    freeReplyObject(reply);
    redisFree(context);
}

TEST_CASE("a lease ends by itself or at once", "[store]") {
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    CHECK_FALSE(*store.has_lease("a"));
    REQUIRE(store.renew_lease({"a", std::chrono::milliseconds{100}, {}}));
    REQUIRE(store.renew_lease({"b", std::chrono::minutes{1}, {}}));
    CHECK(*store.has_lease("a"));
    CHECK(*store.has_lease("b"));
    std::this_thread::sleep_for(std::chrono::milliseconds{150});
    CHECK_FALSE(*store.has_lease("a"));
    CHECK(*store.end_lease("b"));
    CHECK_FALSE(*store.has_lease("b"));
}

TEST_CASE("shared time runs while any process does, and stands else", "[store]") {
    using std::chrono::milliseconds;
    const Server server;
    if (is_missing(server))
        return;
    RedisStore store{server.config()};
    const auto renew = [&](const std::string& name, std::optional<milliseconds> time) {
        const auto renewed = store.renew_lease({name, std::chrono::seconds{3}, time});
        REQUIRE(renewed);
        REQUIRE(*renewed);
        return **renewed;
    };
    const auto pass = [](int time) { std::this_thread::sleep_for(milliseconds{time}); };
    CHECK(renew("a", {}) == milliseconds{0});
    pass(200);
    const auto first = renew("a", milliseconds{150});
    CHECK(first >= milliseconds{200});
    // Another one that joins is behind until both have renewed their leases.
    pass(200);
    CHECK(renew("b", {}) == first);
    const auto own = renew("a", first + milliseconds{200});
    CHECK(own >= first + milliseconds{200});
    CHECK(renew("b", first) >= own);
    // Both have ended.
    pass(200);
    const auto next = renew("c", {});
    CHECK(next >= own);
    CHECK(next < own + milliseconds{150});
    CHECK(renew("c", next) < own + milliseconds{150});
}

TEST_CASE("a host name that nobody knows is refused in time", "[store]") {
    uci::store::RedisHostLookup lookup;
    CHECK(*lookup.find("127.0.0.1", std::chrono::milliseconds{0})
          == std::vector<std::string>{"127.0.0.1"});
    CHECK(lookup.find("localhost", std::chrono::seconds{5}));
    const auto began = std::chrono::steady_clock::now();
    CHECK_FALSE(lookup.find("no-such-host.invalid", std::chrono::milliseconds{500}));
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{3});
}

#endif
