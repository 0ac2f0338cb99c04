#include "uci/chezz/config.hpp"

#include "uci/store/store_factory.hpp"

#include "tests/catch.hpp"

using namespace uci::chezz;
using uci::store::Backend;

namespace {

using Variables = std::map<std::string, std::string>;

Settings settings_of(const Variables& variables) {
    return read_settings([&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional{found->second};
    });
}

}  // namespace

TEST_CASE("a .env file is read", "[chezz]") {
    CHECK(read_env_file("A=1\n"
                        "# comment=2\n"
                        "export B = two words \r\n"
                        "\n"
                        "nonsense\n"
                        "C=\"in # quotes\" # and not\n"
                        "D='x'\n"
                        "E=x # comment\n"
                        "F=http://localhost:5173/#top\n"
                        "G=\n"
                        "H=\"open")
          == Variables{{"A", "1"},
                       {"B", "two words"},
                       {"C", "in # quotes"},
                       {"D", "x"},
                       {"E", "x"},
                       {"F", "http://localhost:5173/#top"},
                       {"G", ""},
                       {"H", "\"open"}});
}

TEST_CASE("without variables the defaults are chezz-back's, without Redis", "[chezz]") {
    const auto settings = settings_of({});
    CHECK(settings.backend == Backend::sqlite);
    CHECK(settings.allowed_origin == "http://localhost:5173");
    CHECK(settings_of({{"REDIS_PORT", "7000"}, {"REDIS_HOST", ""}}).backend == Backend::sqlite);
}

TEST_CASE("REDIS_HOST, REDIS_PORT and REDIS_PREFIX give the address of Redis", "[chezz]") {
    const auto settings = settings_of({{"REDIS_HOST", "cellar"},
                                       {"REDIS_PORT", "7000"},
                                       {"REDIS_PREFIX", "chezz:"},
                                       {"ALLOWED_DOMAIN", "http://localhost:8025"}});
    CHECK(settings.backend == Backend::redis);
    CHECK(settings.redis.host == "cellar");
    CHECK(settings.redis.port == 7000);
    CHECK(settings.redis.prefix == "chezz:");
    CHECK(settings.allowed_origin == "http://localhost:8025");
}

TEST_CASE("--store redis without REDIS_HOST uses REDIS_PORT and REDIS_PREFIX", "[chezz]") {
    const auto settings = settings_of({{"REDIS_PORT", "7000"}, {"REDIS_PREFIX", "chezz:"}});
    const auto config = uci::store::resolve("redis", store_config(settings, "me"));
    CHECK(config.backend == Backend::redis);
    CHECK(config.redis.address.host == "localhost");
    CHECK(config.redis.address.port == 7000);
    CHECK(config.redis.address.prefix == "chezz:");
}

TEST_CASE("REDIS_TLS and its files ask for TLS to Redis", "[chezz]") {
    const auto value = GENERATE("1", "yes", "on", "ture");
    CAPTURE(value);
    const auto tls = settings_of({{"REDIS_TLS", value}}).redis.tls;
    REQUIRE(tls);
    CHECK(tls->ca_file.empty());
    const auto files = settings_of({{"REDIS_TLS_CA", "ca.crt"},
                                    {"REDIS_TLS_CERT", "client.crt"},
                                    {"REDIS_TLS_KEY", "client.key"}})
                           .redis.tls;
    REQUIRE(files);
    CHECK(files->ca_file == "ca.crt");
    CHECK(files->certificate_file == "client.crt");
    CHECK(files->key_file == "client.key");
}

TEST_CASE("without REDIS_TLS there is no TLS to Redis", "[chezz]") {
    CHECK_FALSE(settings_of({{"REDIS_HOST", "cellar"}}).redis.tls);
    const auto value = GENERATE("0", "no", "Off", "FALSE");
    CAPTURE(value);
    CHECK_FALSE(settings_of({{"REDIS_TLS", value}, {"REDIS_TLS_CA", "ca.crt"}}).redis.tls);
}

TEST_CASE("an invalid REDIS_PORT means 6379", "[chezz]") {
    const auto port = GENERATE("", "x", "0", "-1", "70000", "6379x");
    CAPTURE(port);
    const auto settings = settings_of({{"REDIS_HOST", "cellar"}, {"REDIS_PORT", port}});
    CHECK(settings.redis.port == 6379);
}

TEST_CASE("the stores keep records as long as chezz-back does, under its keys", "[chezz]") {
    using std::chrono::hours;
    const auto config = store_config(settings_of({{"REDIS_HOST", "cellar"}}), "me");
    CHECK(config.backend == Backend::redis);
    CHECK(config.redis.address.host == "cellar");
    CHECK(config.redis.sender == "me");
    CHECK(config.redis.game_key(2'123'936'455'100'207'104) == "game.{ABDA6/O8eR0}");
    CHECK(config.redis.session_key("-P6v") == "session.-P6v");
    CHECK(config.redis.retention.new_game == hours{24});
    CHECK(config.redis.retention.game == hours{24});
    CHECK(config.redis.retention.new_session == hours{30 * 24});
    CHECK(config.redis.retention.session == hours{30 * 24});
    const auto file = store_config(settings_of({}), "me");
    CHECK(file.backend == Backend::sqlite);
    CHECK(file.sqlite.path == "chezz.sqlite");
}
