#include "uci/remote/output_queue.hpp"

#include <vector>

#include "tests/catch.hpp"

using uci::remote::OutputQueue;

TEST_CASE("the oldest info lines are dropped beyond the limit, and nothing else", "[remote]") {
    const auto size = 10 + sizeof(std::string);
    OutputQueue queue{4 * size};
    for (const char* line : {"bestmove 1", "info 00001", "info 00002", "readyok 11", "info 00003",
                             "info 00004", "bestmove 2"})
        queue.add(line);
    CHECK_FALSE(queue.is_over_limit());
    std::vector<std::string> kept;
    while (const auto line = queue.take())
        kept.push_back(*line);
    CHECK(kept == std::vector<std::string>{"bestmove 1", "readyok 11", "info 00004", "bestmove 2"});
    CHECK(queue.bytes() == 0);
}

TEST_CASE("lines that must be kept can exceed the limit", "[remote]") {
    OutputQueue queue{100};
    for (int i = 0; i < 10; ++i)
        queue.add("readyok");
    CHECK(queue.is_over_limit());
    queue.add("info depth 1");
    int lines = 0;
    while (queue.take())
        ++lines;
    CHECK(lines == 10);
}
