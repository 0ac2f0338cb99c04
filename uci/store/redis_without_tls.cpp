// What takes the place of redis_tls.cpp in a build without OpenSSL.
#include "uci/store/redis_tls.hpp"

namespace uci::store {

namespace {

using core::Error;
using core::Result;

Error missing() {
    return Error{"this program was built without TLS; build it with OpenSSL"};
}

}  // namespace

std::optional<Error> check_tls(const TlsSettings& /*settings*/) {
    return missing();
}

void RedisTls::FreeSsl::operator()(ssl_st* /*ssl*/) const {}

RedisTls::~RedisTls() = default;

Result<std::unique_ptr<RedisTls>> RedisTls::start(int /*socket*/,
                                                  const std::string& /*host*/,
                                                  const TlsSettings& /*settings*/) {
    return missing();
}

Result<RedisTls::Progress> RedisTls::handshake() {
    return missing();
}

Result<RedisTls::Progress> RedisTls::read(std::span<char> /*buffer*/) {
    return missing();
}

Result<RedisTls::Progress> RedisTls::write(std::string_view /*text*/) {
    return missing();
}

bool RedisTls::is_quiet() {
    return false;
}

bool RedisTls::wait(State /*state*/, Clock::time_point /*latest*/) const {
    return false;
}

}  // namespace uci::store
