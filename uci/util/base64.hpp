#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace uci::util {

/// Encodes bytes in base64 (RFC 4648, section 4), padded with '=' to a multiple of four letters.
std::string base64(std::span<const std::uint8_t> bytes);

/// The same without the padding.
std::string unpadded_base64(std::span<const std::uint8_t> bytes);

/// Decodes padded base64. Error: the text is not canonical base64.
core::Result<std::vector<std::uint8_t>> read_base64(std::string_view text);

}  // namespace uci::util
