#pragma once

#include <span>
#include <string_view>

#include "uci/dialect.hpp"

namespace uci {

/// All dialects. To add one, write its folder and add one line to dialects.cpp.
std::span<const DialectInfo* const> all_dialects();

/// The dialect of a conversation that begins with this line: UCI, unless another one recognises it.
const DialectInfo& detect_dialect(std::string_view first_line);

}  // namespace uci
