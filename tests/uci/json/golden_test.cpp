#include <fstream>

#include "tests/uci/json/client.hpp"

using tests::Json;

namespace {

std::vector<Json> scenarios() {
    std::ifstream file{PARLEY_TEST_DATA "/json/golden.jsonl"};
    std::vector<Json> all;
    std::string line;
    while (std::getline(file, line))
        all.push_back(Json::parse(line));
    return all;
}

}  // namespace

TEST_CASE("every golden conversation goes as written, byte by byte", "[json]") {
    const auto all = scenarios();
    REQUIRE(all.size() >= 14);
    for (const auto& scenario : all) {
        uci::json::Session session;
        for (const auto& step : scenario.at("steps")) {
            std::vector<std::string> expected;
            for (const auto& message : step.at("out"))
                expected.push_back(message.dump());
            CAPTURE(scenario.at("scenario"), step.at("in"));
            CHECK(tests::said_to(session, step.at("in").get<std::string>()) == expected);
        }
    }
}
