#include "engine/options.hpp"

#include <set>

#include "core/text.hpp"

#include "engine/tunable.hpp"

#include "tests/catch.hpp"

using namespace engine;
using Kind = OptionDescription::Kind;

namespace {

bool same(const Options& a, const Options& b) {
    return a.hash == b.hash && a.threads == b.threads && a.multipv == b.multipv
        && a.move_overhead == b.move_overhead && a.ponder == b.ponder && a.chess960 == b.chess960
        && a.syzygy_probe_depth == b.syzygy_probe_depth
        && a.syzygy_probe_limit == b.syzygy_probe_limit
        && a.syzygy_fifty_moves == b.syzygy_fifty_moves && a.analyse_mode == b.analyse_mode
        && a.own_book == b.own_book && a.book_depth == b.book_depth
        && a.book_variety == b.book_variety && a.limit_strength == b.limit_strength
        && a.elo == b.elo && a.skill_level == b.skill_level && a.level_seed == b.level_seed;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("options are described within their own bounds, each once", "[options]") {
    std::set<std::string> names;
    for (const auto& option : option_descriptions()) {
        CAPTURE(option.name);
        CHECK(names.insert(core::lowercase_no_blanks(option.name)).second);
        if (option.kind == Kind::spin) {
            CHECK(option.min <= option.default_value);
            CHECK(option.default_value <= option.max);
        }
        if (option.kind == Kind::check)
            CHECK((option.default_value == 0 || option.default_value == 1));
    }
    for (const char* name :
         {"hash", "clearhash", "threads", "multipv", "ponder", "moveoverhead", "uci_chess960"})
        CHECK(names.count(name) == 1);
}

TEST_CASE("each option takes its default and its bounds, and nothing beyond", "[options]") {
    for (const auto& option : option_descriptions()) {
        if (option.kind != Kind::spin)
            continue;
        CAPTURE(option.name);
        Options options;
        for (const int value : {option.default_value, option.min, option.max})
            CHECK(set_option(options, option.name, std::to_string(value)));
        const auto below = std::to_string(std::int64_t{option.min} - 1);
        const auto above = std::to_string(std::int64_t{option.max} + 1);
        for (const auto& value : {below, above}) {
            const Options before = options;
            const auto result = set_option(options, option.name, value);
            REQUIRE_FALSE(result);
            CHECK(same(options, before));
            CHECK(contains(result.reason(), std::string{option.name}));
            CHECK(contains(result.reason(), std::to_string(option.min)));
            CHECK(contains(result.reason(), std::to_string(option.max)));
        }
    }
}

TEST_CASE("setting every option to its default changes nothing", "[options]") {
    Options options;
    for (const auto& option : option_descriptions()) {
        if (option.kind == Kind::spin)
            CHECK(set_option(options, option.name, std::to_string(option.default_value)));
        if (option.kind == Kind::check)
            CHECK(set_option(options, option.name, option.default_value == 1 ? "true" : "false"));
    }
    CHECK(same(options, Options{}));
}

TEST_CASE("each option sets its own value", "[options]") {
    Options options;
    CHECK(*set_option(options, "Hash", "64") == OptionEffect::resize_tt);
    CHECK(*set_option(options, "Threads", "4") == OptionEffect::change_threads);
    CHECK(*set_option(options, "MultiPV", "3") == OptionEffect::none);
    CHECK(*set_option(options, "Move Overhead", "250") == OptionEffect::none);
    CHECK(*set_option(options, "Ponder", "true") == OptionEffect::none);
    CHECK(*set_option(options, "UCI_Chess960", "true") == OptionEffect::none);
    CHECK(*set_option(options, "Clear Hash", "") == OptionEffect::clear_tt);
    CHECK(same(options, {64, 4, 3, 250, true, true}));
    CHECK(*set_option(options, "UCI_AnalyseMode", "true") == OptionEffect::none);
    CHECK(options.analyse_mode);
    CHECK(*set_option(options, "UCI_LimitStrength", "true") == OptionEffect::none);
    CHECK(*set_option(options, "UCI_Elo", "1234") == OptionEffect::none);
    CHECK(*set_option(options, "Skill Level", "7") == OptionEffect::none);
    CHECK(*set_option(options, "Level Seed", "99") == OptionEffect::none);
    CHECK(options.limit_strength);
    CHECK(options.elo == 1234);
    CHECK(options.skill_level == 7);
    CHECK(options.level_seed == 99);
}

TEST_CASE("a value that is no whole number is refused and changes nothing", "[options]") {
    const auto value =
        GENERATE("", " ", "abc", "16 MB", "16.5", "1e2", "0x10", "--5", "+-5", "-", "+", "sixteen",
                 "99999999999999999999", "-99999999999999999999", "4294967297", "1 2", "\xff\xfe");
    CAPTURE(value);
    const auto name = GENERATE("Hash", "Threads", "MultiPV");
    Options options;
    const auto result = set_option(options, name, value);
    REQUIRE_FALSE(result);
    CHECK(same(options, Options{}));
    CHECK(contains(result.reason(), " is not a whole number from 1 to "));
}

TEST_CASE("a refusal names the old value and the error", "[options]") {
    Options options;
    CHECK(set_option(options, "hash", "0").reason()
          == "Hash stays at 16: '0' is not a whole number from 1 to 33554432");
    REQUIRE(set_option(options, "Move Overhead", "30"));
    CHECK(set_option(options, "MoveOverhead", "-1").reason()
          == "Move Overhead stays at 30: '-1' is not a whole number from 0 to 10000");
    CHECK(set_option(options, "Ponder", "maybe").reason()
          == "Ponder stays at false: 'maybe' is neither true nor false");
    CHECK(contains(set_option(options, "Style", "wild").reason(), "unknown option 'Style'"));
}

TEST_CASE("a flag is true or false", "[options]") {
    Options options;
    for (const char* yes : {"true", "True", "TRUE"}) {
        options.ponder = false;
        CHECK(set_option(options, "Ponder", yes));
        CHECK(options.ponder);
    }
    for (const char* no : {"false", "False", "FALSE"}) {
        options.ponder = true;
        CHECK(set_option(options, "Ponder", no));
        CHECK_FALSE(options.ponder);
    }
    for (const char* bad : {"", "1", "0", "yes", "on", "truefalse", "tru"}) {
        CAPTURE(bad);
        options.ponder = true;
        CHECK_FALSE(set_option(options, "Ponder", bad));
        CHECK(options.ponder);
    }
}

TEST_CASE("case and blanks in a name do not matter", "[options]") {
    const auto name = GENERATE("Move Overhead", "MoveOverhead", "move overhead", "moveoverhead",
                               "MOVEOVERHEAD", " Move\tOver head ");
    CAPTURE(name);
    Options options;
    CHECK(set_option(options, name, "77"));
    CHECK(options.move_overhead == 77);
}

TEST_CASE("an option that does not exist is refused", "[options]") {
    const auto name =
        GENERATE("", " ", "Has", "Hashh", "Hash16", "OwnBook", "name Hash", "Move_Overhead");
    CAPTURE(name);
    Options options;
    CHECK_FALSE(set_option(options, name, "16"));
    CHECK(same(options, Options{}));
}

TEST_CASE("a button needs no value and accepts any", "[options]") {
    Options options;
    for (const char* value : {"", "true", "now"})
        CHECK(*set_option(options, "clear hash", value) == OptionEffect::clear_tt);
    CHECK(same(options, Options{}));
}

TEST_CASE("a tunable number is an option with a range", "[options]") {
    static int margin = 70;
    tunables().push_back({"some_margin", &margin, 70, 30, 140});
    Options options;
    CHECK(set_option(options, "some_margin", "30"));
    CHECK(margin == 30);
    CHECK_FALSE(set_option(options, "some_margin", "141"));
    CHECK_FALSE(set_option(options, "some_margin", ""));
    CHECK(margin == 30);
    CHECK(same(options, Options{}));
    tunables().pop_back();
}

TEST_CASE("a choice is set by its name, and nothing else is accepted", "[options]") {
    Options options;
    REQUIRE(set_option(options, "Book Variety", "Best"));
    CHECK(options.book_variety == 0);
    const Options before = options;
    for (const auto* value : {"", "1", "bests", "best weighted", "worst"}) {
        CAPTURE(value);
        const auto result = set_option(options, "Book Variety", value);
        REQUIRE_FALSE(result);
        CHECK(contains(result.reason(), "stays at best"));
        CHECK(contains(result.reason(), "best, weighted, even"));
        CHECK(same(options, before));
    }
}
