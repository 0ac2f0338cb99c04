#include "uci/chezz/config.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/text.hpp"

#include "uci/chezz/ids.hpp"
#include "uci/chezz/limits.hpp"
#include "uci/chezz/record.hpp"
#include "uci/store/redis_environment.hpp"

namespace uci::chezz {

namespace {

constexpr const char* env_file = ".env";
constexpr const char* default_file = "chezz.sqlite";

std::string_view trimmed(std::string_view text) {
    return core::Words{text}.rest();
}

/// Strips the quotes, or the comment behind an unquoted value.
std::string read_value(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
        const auto end = text.find(text.front(), 1);
        if (end != std::string_view::npos)
            return std::string{text.substr(1, end - 1)};
    }
    return std::string{trimmed(text.substr(0, std::min(text.find(" #"), text.size())))};
}

}  // namespace

std::map<std::string, std::string> read_env_file(std::string_view text) {
    constexpr std::string_view exported{"export "};
    std::map<std::string, std::string> variables;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with(exported))
            line = trimmed(line.substr(exported.size()));
        const auto equals = line.find('=');
        if (!line.starts_with('#') && equals != std::string_view::npos)
            variables[std::string{trimmed(line.substr(0, equals))}] =
                read_value(line.substr(equals + 1));
    }
    return variables;
}

Settings read_settings(const Lookup& lookup) {
    Settings settings;
    if (!lookup("REDIS_HOST").value_or("").empty())
        settings.backend = store::Backend::redis;
    // Also without REDIS_HOST: --store redis chooses Redis too.
    settings.redis = store::read_redis_address(lookup);
    const auto origin = lookup("ALLOWED_DOMAIN");
    if (origin && !origin->empty())
        settings.allowed_origin = *origin;
    return settings;
}

Settings settings_from_environment() {
    std::ifstream file{env_file};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    const auto variables = read_env_file(text);
    return read_settings([&](const std::string& name) -> std::optional<std::string> {
        // No other thread exists yet.
        if (const char* value = std::getenv(name.c_str()))  // NOLINT(concurrency-mt-unsafe)
            return value;
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional{found->second};
    });
}

store::StoreConfig store_config(const Settings& settings, std::string sender) {
    store::StoreConfig config;
    config.backend = settings.backend;
    config.sqlite = {default_file,
                     {.new_game = Limits::file_new_game_ttl,
                      .game = Limits::file_game_ttl,
                      .new_session = Limits::file_new_session_ttl,
                      .session = Limits::session_ttl},
                     {.games = Limits::max_file_games, .sessions = Limits::max_file_sessions}};
    config.memory = {config.sqlite.retention,
                     {.games = Limits::max_memory_games, .sessions = Limits::max_memory_sessions}};
    config.redis = {settings.redis,
                    {.new_game = Limits::redis_game_ttl,
                     .game = Limits::redis_game_ttl,
                     .new_session = Limits::session_ttl,
                     .session = Limits::session_ttl},
                    [](std::int64_t id) { return game_key(GameId{id}); },
                    session_key,
                    std::move(sender)};
    return config;
}

}  // namespace uci::chezz
