#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace uci::util {

/// Encodes each byte as two lower-case hexadecimal digits.
std::string hex(std::span<const std::uint8_t> bytes);

/// Decodes hexadecimal digits of either case. Error: the first pair that is not hexadecimal.
core::Result<std::vector<std::uint8_t>> read_hex(std::string_view text);

}  // namespace uci::util
