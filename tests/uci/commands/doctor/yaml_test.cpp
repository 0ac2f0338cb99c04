#if defined(PARLEY_YAML)

#include "uci/commands/doctor/yaml.hpp"

#include "tests/catch.hpp"

using uci::commands::read_yaml;
using Json = nlohmann::ordered_json;

TEST_CASE("YAML has the types that Python's reader gives it", "[doctor]") {
    const auto read = read_yaml(
        "a: 5\nb: \"5\"\nc: True\nd: off\ne:\nf: word and word\ng: [1, two]\nh: {i: ~}\nj: "
        "'yes'\n");
    REQUIRE(read);
    CHECK(*read == Json::parse(R"({"a": 5, "b": "5", "c": true, "d": false, "e": null,
                                   "f": "word and word", "g": [1, "two"], "h": {"i": null},
                                   "j": "yes"})"));
}

TEST_CASE("what is no YAML is refused with its line", "[doctor]") {
    const auto read = read_yaml("a: 1\nb: [1, 2\nc: 3\n");
    REQUIRE_FALSE(read);
    CHECK(read.reason().find("line ") == 0);
}

TEST_CASE("YAML that grows without bounds is refused", "[doctor]") {
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        const auto before = "*a" + std::to_string(i - 1);
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int j = 0; j < 9; ++j)
            laughs += ", " + before;
        laughs += "]\n";
    }
    CHECK_FALSE(read_yaml(laughs));
    CHECK_FALSE(read_yaml("a: &a [*a]"));
    CHECK_FALSE(read_yaml(std::string(100'000, '[')));
    CHECK_FALSE(read_yaml("? [1, 2]\n: 3\n"));
}

#endif
