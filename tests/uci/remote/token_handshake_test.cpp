#include "uci/remote/token_handshake.hpp"

#include "tests/catch.hpp"

using namespace uci::remote;

namespace {

const std::string client_nonce(64, 'a');
const std::string server_nonce(64, 'b');

}  // namespace

TEST_CASE("client and server with the same token trust each other", "[remote]") {
    ClientHandshake client{"secret", client_nonce};
    ServerHandshake server{"secret", server_nonce};
    const auto challenge = server.receive(client.first_line());
    REQUIRE(challenge.verdict == ServerHandshake::Verdict::go_on);
    const auto response = client.receive(challenge.answer);
    REQUIRE(response);
    CHECK(response->find("secret") == std::string::npos);
    const auto welcome = server.receive(*response);
    REQUIRE(welcome.verdict == ServerHandshake::Verdict::accepted);
    CHECK_FALSE(client.is_done());
    CHECK(client.receive(welcome.answer));
    CHECK(client.is_done());
}

TEST_CASE("another token is refused on both sides", "[remote]") {
    ClientHandshake client{"secret", client_nonce};
    ServerHandshake server{"Secret", server_nonce};
    const auto response = client.receive(server.receive(client.first_line()).answer);
    REQUIRE(response);
    CHECK(server.receive(*response).verdict == ServerHandshake::Verdict::wrong_token);
    // An impostor that accepts everything: the proof of the client is not that of the server.
    const auto proof = response->substr(response->find(' ') + 1);
    CHECK_FALSE(client.receive("welcome " + proof));
    CHECK_FALSE(client.is_done());
}

TEST_CASE("lines that are no handshake are refused", "[remote]") {
    const auto line = GENERATE(as<std::string>{}, "", "uci", "auth", "auth 12", "AUTH x",
                               "auth " + std::string(64, 'A'), "auth " + std::string(63, 'a'),
                               "auth " + std::string(64, 'a') + " x");
    CAPTURE(line);
    CHECK(ServerHandshake{"t", server_nonce}.receive(line).verdict
          == ServerHandshake::Verdict::no_token);
    ClientHandshake client{"t", client_nonce};
    CHECK_FALSE(client.receive(line));
}
