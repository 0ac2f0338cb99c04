#include "uci/util/sha256.hpp"

#include <string>

#include "uci/util/hex.hpp"

#include "tests/catch.hpp"

TEST_CASE("SHA-256 has the digests of FIPS 180-4's examples", "[sha256]") {
    const auto [text, digest] = GENERATE(table<std::string, std::string>(
        {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
         {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
         {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
         {std::string(1'000'000, 'a'),
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}}));
    CHECK(uci::util::hex(uci::util::sha256(text)) == digest);
}
