#include "uci/net/http_framing.hpp"

#include <boost/beast/http/field.hpp>
#include <vector>

#include "tests/catch.hpp"

using namespace uci::net;

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::optional<core::Error> check(const Headers& headers) {
    boost::beast::http::fields fields;
    for (const auto& [name, value] : headers)
        fields.insert(name, value);
    return check_framing(fields);
}

}  // namespace

TEST_CASE("a request with one Host and a known body passes", "[net]") {
    CHECK_FALSE(check({}));
    CHECK_FALSE(check({{"Host", "x"}, {"Content-Length", "5"}}));
    CHECK_FALSE(check({{"Host", "x"}, {"Transfer-Encoding", "Chunked"}}));
}

TEST_CASE("a request whose receiver or end is not certain is refused", "[net]") {
    const auto headers = GENERATE(
        Headers{{"Host", "x"}, {"Host", "x"}}, Headers{{"Host", "x"}, {"hOST", "y"}},
        Headers{{"Transfer-Encoding", "gzip"}}, Headers{{"Transfer-Encoding", "gzip, chunked"}},
        Headers{{"Transfer-Encoding", "chunked, chunked"}}, Headers{{"Transfer-Encoding", ""}},
        Headers{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}},
        Headers{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "identity"}},
        Headers{{"Transfer-Encoding", "chunked"}, {"Content-Length", "5"}});
    CHECK(check(headers));
}
