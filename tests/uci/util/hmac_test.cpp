#include "uci/util/hmac.hpp"

#include <string>

#include "uci/util/hex.hpp"

#include "tests/catch.hpp"

using namespace uci::util;

// RFC 4231, test cases 2 and 6.
TEST_CASE("the HMAC of known messages", "[hmac]") {
    CHECK(hex(hmac_sha256("Jefe", "what do ya want for nothing?"))
          == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(hex(hmac_sha256(std::string(131, '\xaa'),
                          "Test Using Larger Than Block-Size Key - Hash Key First"))
          == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("texts are compared whole", "[hmac]") {
    CHECK(equal_in_constant_time("", ""));
    CHECK(equal_in_constant_time("abc", "abc"));
    CHECK_FALSE(equal_in_constant_time("abc", "abd"));
    CHECK_FALSE(equal_in_constant_time("abc", "ab"));
}
