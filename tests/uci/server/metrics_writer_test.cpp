#include "uci/server/metrics_writer.hpp"

#include "tests/catch.hpp"

TEST_CASE("metrics are written in Prometheus's text format", "[metrics_writer]") {
    uci::server::MetricsWriter writer;
    writer.counter("a_total", "How\nmany \\ \"a\".", 18'000'000'000'000'000);
    writer.gauge("b", "B.", 0.25);
    writer.begin("c", "histogram", "C.");
    writer.sample(1, {{"le", "0.1"}, {"d", "x\"\\\ny"}}, "_bucket");
    writer.sample(3, {}, "_count");
    CHECK(writer.text() == R"(# HELP a_total How\nmany \\ "a".
# TYPE a_total counter
a_total 1.8e+16
# HELP b B.
# TYPE b gauge
b 0.25
# HELP c C.
# TYPE c histogram
c_bucket{le="0.1",d="x\"\\\ny"} 1
c_count 3
)");
}
