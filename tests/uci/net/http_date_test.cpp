#include "uci/net/http_date.hpp"

#include <regex>

#include "tests/catch.hpp"

TEST_CASE("an HTTP date is an IMF-fixdate in GMT", "[net]") {
    const std::regex fixdate{
        R"((Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z][a-z] \d{4} \d\d:\d\d:\d\d GMT)"};
    CHECK(std::regex_match(uci::net::http_date(), fixdate));
}
