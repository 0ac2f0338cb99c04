#include "uci/transport/unanswered_lines.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

#include "tests/catch.hpp"

using uci::transport::UnansweredLines;

TEST_CASE("no more lines are read than may be unanswered, and none is forgotten", "[transport]") {
    constexpr std::ptrdiff_t most = 2;
    constexpr int lines = 200'000;
    UnansweredLines unanswered{most};
    std::atomic<int> read{0};
    std::ptrdiff_t most_seen = 0;
    std::thread writer{[&] {
        for (int answered = 0; answered < lines; ++answered) {
            while (read.load() == answered)
                std::this_thread::yield();
            most_seen = std::max<std::ptrdiff_t>(most_seen, read.load() - answered);
            unanswered.remove();
        }
    }};
    for (int i = 0; i < lines; ++i) {
        unanswered.add();
        read.fetch_add(1);
    }
    unanswered.wait_until_none();
    writer.join();
    CHECK(most_seen <= most);
    CHECK(most_seen >= 1);
}
