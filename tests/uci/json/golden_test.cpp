#include <fstream>

#include "tests/test_data.hpp"
#include "tests/uci/json/client.hpp"

using tests::Json;

namespace {

std::vector<Json> scenarios() {
    std::ifstream file{tests::data_path("json/golden.jsonl")};
    std::vector<Json> all;
    std::string line;
    while (std::getline(file, line))
        all.push_back(Json::parse(line));
    return all;
}

}  // namespace

TEST_CASE("the recorded conversations are reproduced byte for byte", "[json]") {
    const auto all = scenarios();
    REQUIRE(all.size() >= 14);
    for (const auto& scenario : all) {
        uci::json::Session session;
        for (const auto& step : scenario.at("steps")) {
            std::vector<std::string> expected;
            for (const auto& message : step.at("out"))
                expected.push_back(message.dump());
            CAPTURE(scenario.at("scenario"), step.at("in"));
            CHECK(tests::messages_after(session, step.at("in").get<std::string>()) == expected);
        }
    }
}
