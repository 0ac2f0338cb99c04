#include "uci/util/latency_histogram.hpp"

#include "tests/catch.hpp"

using namespace std::chrono_literals;

TEST_CASE("a histogram counts what took at most each bound", "[latency_histogram]") {
    uci::util::LatencyHistogram histogram;
    histogram.add(0s);
    histogram.add(100us);
    histogram.add(2ms);
    histogram.add(1min);
    CHECK(histogram.count_up_to(0) == 2);
    CHECK(histogram.count_up_to(2) == 2);
    CHECK(histogram.count_up_to(3) == 3);
    CHECK(histogram.count_up_to(histogram.bounds.size() - 1) == 3);
    CHECK(histogram.count() == 4);
    CHECK(histogram.sum_in_seconds() == Approx(60.0021));
}
