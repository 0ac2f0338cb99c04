#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"

#include "uci/chezz/layout.hpp"

namespace uci::chezz {

/// Bytes as two small hexadecimal digits each.
std::string hex(std::span<const std::uint8_t> bytes);

/// The bytes of such a text, in which capitals are fine too; or what is wrong with it.
core::Result<Bytes> read_hex(std::string_view text);

}  // namespace uci::chezz
