#include "uci/remote/token_handshake.hpp"

#include <algorithm>

#include "core/text.hpp"

#include "uci/util/hex.hpp"
#include "uci/util/hmac.hpp"

namespace uci::remote {

namespace {

constexpr std::size_t digits = 64;
constexpr std::string_view challenge_word = "challenge";
constexpr std::string_view response_word = "response";
constexpr std::string_view welcome_word = "welcome";

/// The value of a line "WORD VALUE", where the value has the form of a nonce or a proof.
std::optional<std::string> value_of(std::string_view line, std::string_view word) {
    core::Words words{line};
    if (words.next() != word)
        return std::nullopt;
    const auto value = words.next();
    const auto is_digit = [](char letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f');
    };
    if (!value || words.next() || value->size() != digits
        || !std::all_of(value->begin(), value->end(), is_digit))
        return std::nullopt;
    return std::string{*value};
}

std::string line_of(std::string_view word, std::string_view value) {
    return std::string{word}.append(" ").append(value);
}

/// `side` keeps the proofs apart, so that neither can be sent back to the one who made it.
std::string proof(std::string_view token,
                  std::string_view side,
                  std::string_view client_nonce,
                  std::string_view server_nonce) {
    const auto message =
        std::string{side}.append(" ").append(client_nonce).append(" ").append(server_nonce);
    return util::hex(util::hmac_sha256(token, message));
}

}  // namespace

std::string new_nonce(util::SecureRandom& random) {
    return util::hex(random.bytes<digits / 2>());
}

ServerHandshake::Step ServerHandshake::receive(std::string_view line) {
    if (!awaits_proof()) {
        const auto nonce = value_of(line, auth_word);
        if (!nonce)
            return {Verdict::no_token};
        client_nonce_ = *nonce;
        return {Verdict::go_on, line_of(challenge_word, nonce_)};
    }
    const auto response = value_of(line, response_word);
    if (!response
        || !util::equal_in_constant_time(*response, proof(token_, "client", client_nonce_, nonce_)))
        return {Verdict::wrong_token};
    return {Verdict::accepted,
            line_of(welcome_word, proof(token_, "server", client_nonce_, nonce_))};
}

std::string ClientHandshake::first_line() const {
    return line_of(auth_word, nonce_);
}

core::Result<std::string> ClientHandshake::receive(std::string_view line) {
    constexpr std::string_view info_string = "info string ";
    if (line.starts_with(info_string))
        return core::Error{core::printable(line.substr(info_string.size()))};
    if (server_nonce_.empty()) {
        const auto nonce = value_of(line, challenge_word);
        if (!nonce)
            return core::Error{"the server does not ask for the token"};
        server_nonce_ = *nonce;
        return line_of(response_word, proof(token_, "client", nonce_, server_nonce_));
    }
    const auto welcome = value_of(line, welcome_word);
    if (!welcome
        || !util::equal_in_constant_time(*welcome, proof(token_, "server", nonce_, server_nonce_)))
        return core::Error{"the server does not know the token"};
    done_ = true;
    return std::string{};
}

}  // namespace uci::remote
