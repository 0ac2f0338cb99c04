#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace uci::util {

/// The SHA-256 of a text, as in FIPS 180-4. For secrets that are random themselves; a password that
/// a person chose needs a slow hash with a salt instead. Own code, because the cross-compiled
/// programs have no library with it.
std::array<std::uint8_t, 32> sha256(std::string_view text);

}  // namespace uci::util
