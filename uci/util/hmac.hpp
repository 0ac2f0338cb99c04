#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace uci::util {

/// The HMAC-SHA256 of a message, as in RFC 2104: it proves that the sender knows the key.
std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view message);

/// Whether two texts are equal. The time depends on their lengths only, so that nobody can find a
/// secret byte by byte.
bool equal_in_constant_time(std::string_view left, std::string_view right);

}  // namespace uci::util
