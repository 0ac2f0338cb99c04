#include "uci/chezz/settings.hpp"

#include "tests/catch.hpp"

using namespace uci::chezz;

namespace {

using Variables = std::map<std::string, std::string>;

Settings settings_of(const Variables& variables) {
    return read_settings([&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional{found->second};
    });
}

}  // namespace

TEST_CASE("a .env file gives variables", "[chezz]") {
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

TEST_CASE("without variables the settings are chezz-back's, and there is no Redis", "[chezz]") {
    const auto settings = settings_of({});
    CHECK_FALSE(settings.redis);
    CHECK(settings.allowed_origin == "http://localhost:5173");
    CHECK_FALSE(settings_of({{"REDIS_PORT", "7000"}, {"REDIS_HOST", ""}}).redis);
}

TEST_CASE("variables say where Redis is", "[chezz]") {
    const auto settings = settings_of({{"REDIS_HOST", "cellar"},
                                       {"REDIS_PORT", "7000"},
                                       {"REDIS_PREFIX", "chezz:"},
                                       {"ALLOWED_DOMAIN", "http://localhost:8025"}});
    REQUIRE(settings.redis);
    CHECK(settings.redis->host == "cellar");
    CHECK(settings.redis->port == 7000);
    CHECK(settings.redis->prefix == "chezz:");
    CHECK(settings.allowed_origin == "http://localhost:8025");
}

TEST_CASE("a port that is none is Redis's usual one", "[chezz]") {
    const auto port = GENERATE("", "x", "0", "-1", "70000", "6379x");
    CAPTURE(port);
    const auto settings = settings_of({{"REDIS_HOST", "cellar"}, {"REDIS_PORT", port}});
    CHECK(settings.redis->port == 6379);
}
