#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/chezz/layout.hpp"

namespace uci::chezz {

/// Bytes in base64, filled up with '=' to a multiple of four letters.
std::string base64(std::span<const std::uint8_t> bytes);

/// The same without the '=' at the end.
std::string unpadded_base64(std::span<const std::uint8_t> bytes);

/// The bytes of a padded text; or what is wrong with it.
core::Result<Bytes> read_base64(std::string_view text);

}  // namespace uci::chezz
