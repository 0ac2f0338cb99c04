#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/util/secure_random.hpp"

// How client and server prove to each other that they know the same token, which never crosses the
// wire. A nonce is random and is used once, so that a recorded proof is worth nothing later:
//
//     client: auth CLIENT_NONCE
//     server: challenge SERVER_NONCE
//     client: response HMAC-SHA256(token, "client CLIENT_NONCE SERVER_NONCE")
//     server: welcome HMAC-SHA256(token, "server CLIENT_NONCE SERVER_NONCE")
//
// The client proves itself first: so a server tells strangers nothing with which they could test
// guesses without it. Nonces and proofs are 64 hexadecimal digits in lower case.
namespace uci::remote {

/// The key word of the client's first line. A line that begins otherwise is no handshake.
inline constexpr std::string_view auth_word = "auth";

/// An unpredictable nonce.
std::string new_nonce(util::SecureRandom& random);

/// The server's side of one handshake. Pure: lines in, lines out.
class ServerHandshake {
public:
    enum class Verdict : unsigned char {
        go_on,        ///< send the answer and wait for the next line
        accepted,     ///< send the answer; the client knows the token
        wrong_token,  ///< the proof is wrong
        no_token      ///< the line is not one of the handshake
    };
    struct Step {
        Verdict verdict;
        std::string answer{};
    };

    ServerHandshake(std::string token, std::string nonce)
        : token_{std::move(token)},
          nonce_{std::move(nonce)} {}

    Step receive(std::string_view line);
    /// Whether the next line is to be the proof.
    bool awaits_proof() const { return !client_nonce_.empty(); }

private:
    std::string token_;
    std::string nonce_;
    std::string client_nonce_;  ///< empty before the first line
};

/// The client's side of one handshake. Pure as well.
class ClientHandshake {
public:
    ClientHandshake(std::string token, std::string nonce)
        : token_{std::move(token)},
          nonce_{std::move(nonce)} {}

    /// What the client says first.
    std::string first_line() const;
    /// What the client answers to a line; empty if nothing. Error: why the server is not to be
    /// trusted.
    core::Result<std::string> receive(std::string_view line);
    /// Whether the server has proved that it knows the token.
    bool is_done() const { return done_; }

private:
    std::string token_;
    std::string nonce_;
    std::string server_nonce_;  ///< empty before the challenge
    bool done_ = false;
};

}  // namespace uci::remote
