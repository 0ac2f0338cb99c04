#include "uci/commands/doctor/lichess_bot.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/paths.hpp"
#include "core/text.hpp"

#include "engine/options.hpp"

#include "uci/command_line.hpp"
#include "uci/commands/doctor/engine_checks.hpp"
#include "uci/util/platform.hpp"
#if defined(PARLEY_YAML)
#include "uci/commands/doctor/yaml.hpp"
#endif

namespace uci::commands {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Kind = engine::OptionDescription::Kind;

const std::string subject{"lichess-bot"};

/// A member of a section; null if it is missing.
const Json& member(const Json& around, const std::string& key) {
    static const Json missing;
    const auto found = around.is_object() ? around.find(key) : around.end();
    return around.is_object() && found != around.end() ? *found : missing;
}

/// A section of names and values; empty if it is missing or something else.
const Json& section(const Json& around, const std::string& key) {
    static const Json none = Json::object();
    const auto& found = member(around, key);
    return found.is_object() ? found : none;
}

/// A value as the file has it; empty for a section or none.
std::string text_of(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    return value.is_structured() || value.is_null() ? std::string{} : value.dump();
}

/// Larger numbers count as the largest one, so that they can be multiplied.
std::optional<std::int64_t> number_of(const Json& value) {
    constexpr std::int64_t largest = 1'000'000'000;
    auto number = value.is_string() ? core::read_integer(value.get<std::string>()) : std::nullopt;
    if (value.is_number_integer())
        number = value.get<std::int64_t>();
    return number ? std::optional{std::clamp(*number, -largest, largest)} : std::nullopt;
}

/// An option of the engine as python-chess, which lichess-bot uses, sees it.
struct Option {
    std::string name;
    const engine::OptionDescription* description = nullptr;  ///< null for a string option
};

std::vector<Option> all_options(const std::vector<std::string>& text_options) {
    std::vector<Option> options;
    for (const auto& description : engine::option_descriptions())
        options.push_back({std::string{description.name}, &description});
    for (const auto& name : text_options)
        options.push_back({name, nullptr});
    return options;
}

/// What is wrong with the value of an option; nothing if it is good.
std::optional<std::string> fault_of(const engine::OptionDescription& option, const Json& value) {
    if (option.kind == Kind::spin) {
        const auto number = number_of(value);
        if (!number || *number < option.min || *number > option.max)
            return fmt::format("is not a whole number from {} to {}", option.min, option.max);
    }
    if (option.kind == Kind::check) {
        const auto word = core::lowercase(text_of(value));
        if (word != "true" && word != "false")
            return "is neither true nor false";
    }
    if (option.kind == Kind::combo) {
        if (std::find(option.choices.begin(), option.choices.end(), text_of(value))
            == option.choices.end())
            return fmt::format("is not one of {}", fmt::join(option.choices, ", "));
    }
    return std::nullopt;
}

/// Checks one configuration and collects what it finds.
class Checker {
public:
    Checker(const Json& config, const BotSurroundings& surroundings)
        : config_{config},
          engine_{member(config, "engine")},
          options_{section(engine_, "uci_options")},
          surroundings_{surroundings} {}

    CheckResults check() && {
        if (!config_.is_object()) {
            add(Level::broken, "the file has no settings", "begin with config.yml.default");
            return std::move(findings_);
        }
        check_account();
        if (engine_.is_object()) {
            check_program();
            check_protocol();
            check_options();
            check_files();
            check_resources();
        }
        else {
            add(Level::broken, "engine: the section is missing",
                "add engine: with dir, name and protocol");
        }
        check_games();
        if (findings_.empty())
            add(Level::ok, summary(), "");
        return std::move(findings_);
    }

private:
    void add(Level level, std::string text, std::string remedy) {
        findings_.push_back({level, subject, std::move(text), std::move(remedy)});
    }

    std::string summary() const {
        return fmt::format("{}, {} UCI options, {} game{} at a time: all good",
                           core::printable(core::utf8_text(program())), options_.size(), games(),
                           games() == 1 ? "" : "s");
    }

    fs::path path_of(const std::string& text) const {
        return surroundings_.folder / core::utf8_path(text);
    }
    fs::path program() const {
        return path_of(text_of(member(engine_, "dir")))
             / core::utf8_path(text_of(member(engine_, "name")));
    }
    /// Where the engine itself runs.
    fs::path working_folder() const { return path_of(text_of(member(engine_, "working_dir"))); }
    std::int64_t games() const {
        return std::max<std::int64_t>(
            number_of(member(member(config_, "challenge"), "concurrency")).value_or(1), 1);
    }
    std::int64_t option_number(std::string_view name, std::int64_t otherwise) const {
        for (const auto& [key, value] : options_.items()) {
            if (core::lowercase(key) == core::lowercase(name))
                return number_of(value).value_or(otherwise);
        }
        return otherwise;
    }

    void check_account() {
        const auto token = text_of(member(config_, "token"));
        const bool is_placeholder = token.find_first_not_of('x') == std::string::npos;
        if (is_placeholder && !surroundings_.token_in_environment)
            add(Level::warning, token.empty() ? "token: missing" : "token: still the placeholder",
                "make one with the scope bot:play at https://lichess.org/account/oauth/token");
        if (text_of(member(config_, "url")).empty())
            add(Level::broken, "url: missing", "url: \"https://lichess.org/\"");
    }

    void check_program() {
        std::error_code error;
        const auto folder = text_of(member(engine_, "dir"));
        const auto name = text_of(member(engine_, "name"));
        if (folder.empty() || !fs::is_directory(path_of(folder), error))
            add(Level::broken, fmt::format("engine.dir: {} is not a folder", core::quoted(folder)),
                "name the folder of Parley's program");
        else if (name.empty() || !fs::is_regular_file(program(), error))
            add(Level::broken,
                fmt::format("engine.name: there is no file {} in that folder", core::quoted(name)),
                "name Parley's program, usually parley");
        else if (!util::is_executable(core::utf8_text(program())))
            add(Level::broken, fmt::format("engine.name: {} cannot be run", core::quoted(name)),
                fmt::format("chmod +x {}", core::printable(core::utf8_text(program()))));
        if (!fs::is_directory(working_folder(), error))
            add(Level::broken, "engine.working_dir: no such folder", "leave it empty");
        if (member(engine_, "engine_options").is_object())
            add(Level::broken, "engine.engine_options: Parley takes no such arguments",
                "remove the section; settings belong to uci_options");
    }

    void check_protocol() {
        const auto protocol = text_of(member(engine_, "protocol"));
        if (protocol == "xboard")
            add(Level::warning, "engine.protocol: xboard works, but uci_options are not used",
                "protocol: \"uci\"");
        else if (protocol != "uci")
            add(Level::broken,
                fmt::format("engine.protocol: {} is not uci", core::quoted(protocol)),
                "protocol: \"uci\"");
        const auto& ponder = member(engine_, "ponder");
        if (!ponder.is_null() && !ponder.is_boolean())
            add(Level::warning,
                fmt::format("engine.ponder: {} counts as true", core::quoted(text_of(ponder))),
                "write true or false");
    }

    void check_options() {
        const auto& written = member(engine_, "uci_options");
        if (!written.is_object() && !written.is_null())
            add(Level::broken, "engine.uci_options: not a list of names and values",
                "write lines such as Hash: 256");
        const auto known = all_options(surroundings_.text_options);
        for (const auto& [name, value] : options_.items())
            check_option(known, name, value);
    }
    void check_option(const std::vector<Option>& known,
                      const std::string& name,
                      const Json& value) {
        constexpr std::array<std::string_view, 4> managed{"ponder", "multipv", "uci_chess960",
                                                          "uci_variant"};
        if (name == "go_commands")
            return;
        const auto key = fmt::format("uci_options.{}", core::printable(name));
        const auto word = core::lowercase(name);
        if (std::find(managed.begin(), managed.end(), word) != managed.end()) {
            add(Level::note, key + ": lichess-bot sets it by itself", "remove the line");
            return;
        }
        const auto found = std::find_if(known.begin(), known.end(), [&](const Option& option) {
            return core::lowercase(option.name) == word;
        });
        if (found == known.end()) {
            std::vector<std::string> names;
            std::transform(known.begin(), known.end(), std::back_inserter(names),
                           [](const Option& option) { return option.name; });
            const auto meant = nearest(name, names);
            add(Level::broken, key + ": Parley has no such option, so lichess-bot ends",
                meant ? fmt::format("write {}, or remove the line", *meant) : "remove the line");
        }
        else if (const auto fault =
                     found->description ? fault_of(*found->description, value) : std::nullopt) {
            add(Level::broken, fmt::format("{}: {} {}", key, core::quoted(text_of(value)), *fault),
                "change the value");
        }
    }

    /// Files and folders that the engine or lichess-bot will open.
    void check_files() {
        for (const auto& [name, value] : options_.items()) {
            const auto word = core::lowercase(name);
            const auto text = text_of(value);
            if (text.empty() || text == "<empty>")
                continue;
            if (word == "syzygypath")
                add_check("uci_options." + name, check_tablebases(absolute_paths(text)));
            else if (word == "book file")
                add_check("uci_options." + name, check_books(absolute_paths(text)));
            else if (word == "evalfile")
                add_check("uci_options." + name, check_network(absolute_paths(text)));
        }
        const auto& polyglot = member(engine_, "polyglot");
        if (member(polyglot, "enabled") == true) {
            for (const auto& [variant, books] : section(polyglot, "book").items()) {
                for (const auto& book : books)
                    add_check("polyglot.book." + variant,
                              check_books(core::utf8_text(path_of(text_of(book)))));
            }
        }
        const auto& syzygy = member(member(engine_, "lichess_bot_tbs"), "syzygy");
        if (member(syzygy, "enabled") == true) {
            for (const auto& folder : member(syzygy, "paths"))
                add_check("lichess_bot_tbs.syzygy.paths",
                          check_tablebases(core::utf8_text(path_of(text_of(folder)))));
        }
    }
    /// Paths relative to the engine's folder, from the root on.
    std::string absolute_paths(const std::string& list) const {
        std::string paths;
        for (const auto& path : core::split_paths(list))
            paths += (paths.empty() ? "" : ";")
                   + core::utf8_text(working_folder() / core::utf8_path(path));
        return paths;
    }
    void add_check(const std::string& key, CheckResult finding) {
        if (finding.level >= Level::warning)
            add(finding.level, fmt::format("{}: {}", core::printable(key), finding.text),
                finding.remedy);
    }

    void check_resources() {
        const auto& machine = surroundings_.machine;
        const auto threads = option_number("Threads", engine::Options{}.threads);
        const auto hash = option_number("Hash", engine::Options{}.hash);
        const auto most = std::max<std::int64_t>(machine.cores / games(), 1);
        if (threads * games() > machine.cores)
            add(Level::warning,
                fmt::format("uci_options.Threads: {} threads in {} game{} at a time, but {} core{}",
                            threads, games(), games() == 1 ? "" : "s", machine.cores,
                            machine.cores == 1 ? "" : "s"),
                threads > most ? fmt::format("Threads: {}", most) : "lower challenge.concurrency");
        const auto room = static_cast<std::int64_t>(largest_hash(machine));
        if (machine.memory > 0 && hash > 0 && room / hash < games())
            add(hash > static_cast<std::int64_t>(machine.memory >> 20) ? Level::broken
                                                                       : Level::warning,
                fmt::format(
                    "uci_options.Hash: {} MB in {} game{} at a time, but there is room for {} MB",
                    hash, games(), games() == 1 ? "" : "s", room),
                fmt::format("Hash: {}", std::max<std::int64_t>(room / games(), 1)));
    }

    void check_games() {
        const auto& challenge = member(config_, "challenge");
        if (!challenge.is_object()) {
            add(Level::broken, "challenge: the section is missing",
                "copy it from config.yml.default");
            return;
        }
        if (number_of(member(challenge, "concurrency")).value_or(1) < 1)
            add(Level::warning, "challenge.concurrency: the bot accepts no games",
                "concurrency: 1");
        constexpr std::array<std::string_view, 3> played{"standard", "chess960", "fromposition"};
        for (const auto& variant : member(challenge, "variants")) {
            const auto name = text_of(variant);
            if (std::find(played.begin(), played.end(), core::lowercase(name)) == played.end())
                add(Level::broken,
                    fmt::format("challenge.variants: Parley does not play {}",
                                core::printable(name)),
                    "remove the line");
        }
        const auto overhead = number_of(member(config_, "move_overhead"));
        if (overhead && *overhead + option_number("Move Overhead", 0) < 100)
            add(Level::warning,
                "move_overhead: too small for a network; games will be lost on time",
                "move_overhead: 1000");
    }

    const Json& config_;
    const Json& engine_;
    const Json& options_;
    const BotSurroundings& surroundings_;
    CheckResults findings_;
};

}  // namespace

CheckResults check_lichess_bot(const Json& config, const BotSurroundings& surroundings) {
    return Checker{config, surroundings}.check();
}

CheckResults check_lichess_bot_file(const std::string& path, BotSurroundings surroundings) {
#if defined(PARLEY_YAML)
    constexpr std::size_t most_bytes = 1 << 20;
    const auto file_path = core::utf8_path(path);
    std::error_code failure;
    std::ifstream file;
    if (fs::is_regular_file(file_path, failure))  // reading a pipe could block for ever
        file.open(file_path, std::ios::binary);
    const auto problem = [&](const std::string& text, const std::string& remedy) {
        return CheckResults{
            {Level::broken, subject, fmt::format("{}: {}", core::quoted(path), text), remedy}};
    };
    if (!file.is_open())
        return problem("cannot be read", "name lichess-bot's config.yml");
    std::string text(most_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > most_bytes)
        return problem("larger than 1 MB", "name lichess-bot's config.yml");
    const auto config = read_yaml(text);
    if (!config)
        return problem(config.reason(), "correct it; indent with blanks, not with tabs");
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    surroundings.token_in_environment = std::getenv("LICHESS_BOT_TOKEN") != nullptr;
    // "." for a file without a folder in its name: an empty path is not a folder.
    surroundings.folder = "." / file_path.parent_path();
    return check_lichess_bot(*config, surroundings);
#else
    static_cast<void>(path);
    static_cast<void>(surroundings);
    return {{Level::broken, subject, "this program was built without yaml-cpp and reads no YAML",
             "install libyaml-cpp-dev and build again"}};
#endif
}

}  // namespace uci::commands
