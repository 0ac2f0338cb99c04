#include "uci/commands/doctor/lichess_bot.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace uci::commands;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// A folder with an engine in it, and a machine of four cores and 16 GB.
class Bot {
public:
    Bot() {
        surroundings_.folder = folder_.path();
        fs::create_directories(surroundings_.folder / "engines");
        const auto program = surroundings_.folder / "engines/parley";
        std::ofstream{program} << "#!/bin/sh\n";
        fs::permissions(program, fs::perms::owner_all);
        surroundings_.text_options = {"UCI_Opponent", "Debug Log File"};
        surroundings_.machine.cores = 4;
        surroundings_.machine.memory = std::uint64_t{16} << 30;
        surroundings_.machine.available = std::uint64_t{12} << 30;
    }
    BotSurroundings& surroundings() { return surroundings_; }
    CheckResults check(const Json& config) const {
        return check_lichess_bot(config, surroundings_);
    }

private:
    tests::TemporaryFolder folder_;
    BotSurroundings surroundings_;
};

Json good_config() {
    return Json::parse(R"({
        "token": "secret-token", "url": "https://lichess.org/",
        "engine": {"dir": "./engines/", "name": "parley", "working_dir": null,
                   "protocol": "uci", "ponder": true,
                   "uci_options": {"Move Overhead": 100, "Threads": 2, "hash": "512",
                                   "SyzygyPath": "<empty>", "UCI_ShowWDL": true,
                                   "Book Variety": "best",
                                   "debug log file": "log.txt", "go_commands": {"depth": 5}}},
        "move_overhead": 1000,
        "challenge": {"concurrency": 2, "variants": ["standard", "fromPosition", "chess960"]}})");
}

/// The only finding about a configuration in which one value was replaced.
CheckResult only_result(const std::string& pointer, const Json& value) {
    auto config = good_config();
    config[Json::json_pointer{pointer}] = value;
    const auto findings = Bot{}.check(config);
    CAPTURE(pointer, value.dump(), findings.size());
    REQUIRE(findings.size() == 1);
    return findings.front();
}

struct Fault {
    const char* pointer;
    Json value;
    Level level;
    const char* text;
};

}  // namespace

TEST_CASE("a good configuration is one good finding", "[doctor]") {
    const auto findings = Bot{}.check(good_config());
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().level == Level::ok);
    CHECK(findings.front().text.find("2 games at a time: all good") != std::string::npos);
}

TEST_CASE("each fault of a configuration is one finding that names it", "[doctor]") {
    const std::vector<Fault> faults{
        {"/token", "", Level::warning, "token: missing"},
        {"/token", "xxxxxxxxxxxxxxxxxxxxxx", Level::warning, "token: still the placeholder"},
        {"/url", nullptr, Level::broken, "url: missing"},
        {"/engine", nullptr, Level::broken, "engine: the section is missing"},
        {"/engine/dir", "elsewhere", Level::broken, "engine.dir: 'elsewhere' is not a folder"},
        {"/engine/name", "stockfish", Level::broken, "engine.name: there is no file 'stockfish'"},
        {"/engine/working_dir", "no/such", Level::broken, "engine.working_dir: no such folder"},
        {"/engine/engine_options", Json::parse(R"({"cpuct": "3.1"})"), Level::broken,
         "engine.engine_options"},
        {"/engine/protocol", "xboard", Level::warning, "engine.protocol: xboard works"},
        {"/engine/protocol", "homemade", Level::broken, "engine.protocol: 'homemade' is not uci"},
        {"/engine/ponder", "no", Level::warning, "engine.ponder: 'no' counts as true"},
        {"/engine/uci_options", "Hash", Level::broken, "engine.uci_options: not a list"},
        {"/engine/uci_options/MoveOverhead", 100, Level::broken,
         "uci_options.MoveOverhead: Parley"},
        {"/engine/uci_options/Contempt", 0, Level::broken, "uci_options.Contempt: Parley"},
        {"/engine/uci_options/Ponder", true, Level::note, "uci_options.Ponder: lichess-bot sets"},
        {"/engine/uci_options/Move Overhead", 20'000, Level::broken,
         "uci_options.Move Overhead: '20000' is not a whole number from 0 to 10000"},
        {"/engine/uci_options/Threads", "many", Level::broken, "uci_options.Threads: 'many'"},
        {"/engine/uci_options/UCI_ShowWDL", "sure", Level::broken, "uci_options.UCI_ShowWDL"},
        {"/engine/uci_options/Book Variety", "Best", Level::broken, "uci_options.Book Variety"},
        {"/engine/uci_options/SyzygyPath", "./syzygy/", Level::broken, "uci_options.SyzygyPath: "},
        {"/engine/uci_options/Book File", "a.bin", Level::broken, "uci_options.Book File: "},
        {"/engine/uci_options/EvalFile", "a.nnue", Level::broken, "uci_options.EvalFile: "},
        {"/engine/polyglot", Json::parse(R"({"enabled": true, "book": {"standard": ["a.bin"]}})"),
         Level::broken, "polyglot.book.standard: "},
        {"/engine/lichess_bot_tbs",
         Json::parse(R"({"syzygy": {"enabled": true, "paths": ["tables"]}})"), Level::broken,
         "lichess_bot_tbs.syzygy.paths: "},
        {"/engine/uci_options/Threads", 4, Level::warning,
         "uci_options.Threads: 4 threads in 2 games at a time, but 4 cores"},
        {"/engine/uci_options/hash", 8192, Level::warning, "uci_options.Hash: 8192 MB in 2 games"},
        {"/engine/uci_options/hash", 65'536, Level::broken, "uci_options.Hash: 65536 MB"},
        {"/challenge", nullptr, Level::broken, "challenge: the section is missing"},
        {"/challenge/concurrency", 0, Level::warning, "challenge.concurrency"},
        {"/challenge/variants", Json::parse(R"(["standard", "atomic"])"), Level::broken,
         "challenge.variants: Parley does not play atomic"},
    };
    for (const auto& fault : faults) {
        const auto finding = only_result(fault.pointer, fault.value);
        CAPTURE(fault.pointer, finding.text);
        CHECK(finding.level == fault.level);
        CHECK(finding.text.find(fault.text) == 0);
        CHECK_FALSE(finding.remedy.empty());
    }
}

TEST_CASE("the name that was meant is in the remedy", "[doctor]") {
    CHECK(only_result("/engine/uci_options/MoveOverhead", 100).remedy
          == "write Move Overhead, or remove the line");
}

TEST_CASE("a program that cannot be run gets the way to make it one", "[doctor]") {
    Bot bot;
    const auto program = bot.surroundings().folder / "engines/parley";
    fs::permissions(program, fs::perms::owner_read);
    const auto findings = bot.check(good_config());
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().remedy.find("chmod +x ") == 0);
}

TEST_CASE("a token in the environment is as good as one in the file", "[doctor]") {
    Bot bot;
    bot.surroundings().token_in_environment = true;
    auto config = good_config();
    config["token"] = "";
    CHECK(bot.check(config).front().level == Level::ok);
}

TEST_CASE("numbers beyond all bounds are no smaller ones", "[doctor]") {
    auto config = good_config();
    config["engine"]["uci_options"]["Threads"] = 4;
    config["challenge"]["concurrency"] = std::int64_t{1} << 62;
    config["move_overhead"] = INT64_MAX;
    config["engine"]["uci_options"]["Move Overhead"] = 10'000;
    const auto results = Bot{}.check(config);
    REQUIRE(results.size() == 2);  // threads and hash
    CHECK(results.front().text.starts_with("uci_options.Threads: 4 threads in 1000000000 games"));
}

TEST_CASE("the token is never repeated", "[doctor]") {
    auto config = good_config();
    config["engine"]["protocol"] = "secret-protocol";
    config["engine"]["dir"] = 17;
    for (const auto& finding : Bot{}.check(config))
        CHECK((finding.text + finding.remedy).find("secret-token") == std::string::npos);
}

TEST_CASE("a clock of lichess-bot without any overhead is a warning", "[doctor]") {
    auto config = good_config();
    config["move_overhead"] = 0;
    config["engine"]["uci_options"]["Move Overhead"] = 10;
    const auto findings = Bot{}.check(config);
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().level == Level::warning);
}

TEST_CASE("values of any type anywhere are no crash", "[doctor]") {
    const std::vector<Json> values{nullptr,
                                   true,
                                   1,
                                   1.5,
                                   "text",
                                   Json::array(),
                                   Json::object(),
                                   Json::parse(R"([[1], {"a": null}])")};
    const auto paths = good_config().flatten();
    for (const auto& value : values) {
        CHECK_FALSE(Bot{}.check(value).empty());
        for (const auto& [pointer, ignored] : paths.items()) {
            auto config = good_config();
            config[Json::json_pointer{pointer}] = value;
            CHECK_FALSE(Bot{}.check(config).empty());
        }
    }
}
