#pragma once

#include <string>
#include <string_view>

namespace core {

/// Whether a text is UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// A text in Windows-1252 (Latin-1 and a few more letters) in UTF-8. The five bytes that have no
/// letter there become the control codes of Latin-1.
[[nodiscard]] std::string utf8_from_windows_1252(std::string_view text);

}  // namespace core
