#include "uci/command_line.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace uci;

namespace {

using Words = std::vector<std::string>;

struct Options {
    bool loud = false;
    std::string name = "nobody";
    int count = 1;
    Words words;

    std::optional<int> parse(const Words& arguments) {
        CommandLine line{"test", "Tests the command line."};
        line.flag("-l,--loud", loud, "Be loud");
        line.text("--name", name, "NAME", "Whom to greet");
        line.number("--count", count, 1, 10, "How often");
        line.words("WORD", words, "What to say");
        return line.parse(arguments);
    }
};

}  // namespace

TEST_CASE("options set their targets and other words are kept", "[command_line]") {
    Options options;
    CHECK(options.parse({"a", "--count", "7", "b", "--name=me", "-l"}) == std::nullopt);
    CHECK(options.words == Words{"a", "b"});
    CHECK(options.count == 7);
    CHECK(options.name == "me");
    CHECK(options.loud);
}

TEST_CASE("an option with nothing behind its = has an empty value", "[command_line]") {
    Options options;
    CHECK(options.parse({"--name=", "--count=7"}) == std::nullopt);
    CHECK(options.name.empty());
    CHECK(options.count == 7);
}

TEST_CASE("targets of options that are not given keep their values", "[command_line]") {
    Options options;
    CHECK(options.parse({}) == std::nullopt);
    CHECK(options.count == 1);
    CHECK(options.name == "nobody");
    CHECK_FALSE(options.loud);
    CHECK(options.words.empty());
}

TEST_CASE("wrong options give the exit status of wrong use", "[command_line]") {
    Options options;
    const auto arguments =
        GENERATE(Words{"--loudly"}, Words{"-x"}, Words{"--count"}, Words{"--count", "eleven"},
                 Words{"--count", "11"}, Words{"--count=0"}, Words{"--count=0x5"},
                 Words{"--count=1.5"}, Words{"--count="}, Words{"--config", "/nonexistent"});
    CAPTURE(arguments);
    CHECK(options.parse(arguments) == exit_usage);
    CHECK(options.count == 1);
}

TEST_CASE("words are refused where none are declared", "[command_line]") {
    CommandLine line{"test", "Tests the command line."};
    CHECK(line.parse(Words{"word"}) == exit_usage);
}

TEST_CASE("--help gives the exit status of success", "[command_line]") {
    Options options;
    CHECK(options.parse({"--help"}) == exit_success);
    CHECK(options.parse({"-h"}) == exit_success);
}

TEST_CASE("options are read from a file and from the environment", "[command_line]") {
    const auto file = std::filesystem::temp_directory_path() / "parley_command_line_test.toml";
    std::ofstream{file} << "count = 3\nname = \"file\"\n";
    REQUIRE(setenv("PARLEY_NAME", "environment", 1) == 0);
    SECTION("the environment sets an option") {
        Options options;
        CHECK(options.parse({}) == std::nullopt);
        CHECK(options.name == "environment");
    }
    SECTION("the command line has precedence") {
        Options options;
        CHECK(options.parse({"--config", file.string(), "--count", "4", "--name", "line"})
              == std::nullopt);
        CHECK(options.count == 4);
        CHECK(options.name == "line");
    }
    SECTION("a file sets options") {
        Options options;
        REQUIRE(unsetenv("PARLEY_NAME") == 0);
        CHECK(options.parse({"--config", file.string()}) == std::nullopt);
        CHECK(options.count == 3);
        CHECK(options.name == "file");
    }
    SECTION("a file with an unknown option or a wrong value is refused") {
        const auto* const text = GENERATE("cuont = 3\n", "count = 11\n");
        std::ofstream{file} << text;
        Options options;
        CHECK(options.parse({"--config", file.string()}) == exit_usage);
    }
    unsetenv("PARLEY_NAME");
    std::filesystem::remove(file);
}

TEST_CASE("the engine's refusal of a setting is reported", "[command_line]") {
    engine::GeneralInterface engine;
    CHECK_FALSE(apply(EngineSettings{.threads = 2, .hash = 8}, engine));
    const auto threads = apply(EngineSettings{.threads = 0, .hash = 8}, engine);
    REQUIRE(threads);
    CHECK(threads->reason.starts_with("Threads stays at 2: "));
    const auto hash = apply(EngineSettings{.threads = 1, .hash = -1}, engine);
    REQUIRE(hash);
    CHECK(hash->reason.starts_with("Hash stays at 8: "));
}

TEST_CASE("a message about something unknown suggests what is near", "[command_line]") {
    const Words known{"serve", "chezz", "json", "go", "d"};
    CHECK(unknown_message("command", "srve", known)
          == "unknown command 'srve'; did you mean 'serve'?");
    CHECK(unknown_message("command", "jsno", known)
          == "unknown command 'jsno'; did you mean 'json'?");
    CHECK(unknown_message("command", "frobnicate", known) == "unknown command 'frobnicate'");
    CHECK(unknown_message("option", "\x01", {}) == "unknown option '?'");
}
