#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace core {

namespace {

/// The first bytes of a range and what may follow them.
struct Form {
    std::uint8_t first, last;                ///< of the first byte
    std::uint8_t second_first, second_last;  ///< of the second byte
    std::size_t length;
};
/// Table 3-7 of the Unicode standard, without ASCII.
constexpr std::array forms{Form{0xC2, 0xDF, 0x80, 0xBF, 2}, Form{0xE0, 0xE0, 0xA0, 0xBF, 3},
                           Form{0xE1, 0xEC, 0x80, 0xBF, 3}, Form{0xED, 0xED, 0x80, 0x9F, 3},
                           Form{0xEE, 0xEF, 0x80, 0xBF, 3}, Form{0xF0, 0xF0, 0x90, 0xBF, 4},
                           Form{0xF1, 0xF3, 0x80, 0xBF, 4}, Form{0xF4, 0xF4, 0x80, 0x8F, 4}};

/// The letters of the bytes 0x80 to 0x9F (Unicode's mapping table CP1252.TXT).
constexpr std::array<std::uint16_t, 32> letters_from_0x80{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/// Bytes of the letter at the front; 0 if it is malformed.
std::size_t length_of_first(std::string_view text) {
    const auto byte = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
    if (byte(0) < 0x80)
        return 1;
    const auto* const form = std::find_if(forms.begin(), forms.end(), [&](const Form& each) {
        return byte(0) >= each.first && byte(0) <= each.last;
    });
    if (form == forms.end() || text.size() < form->length || byte(1) < form->second_first
        || byte(1) > form->second_last)
        return 0;
    for (std::size_t i = 2; i < form->length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    }
    return form->length;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto length = length_of_first(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string utf8_from_windows_1252(std::string_view text) {
    std::string result;
    const auto append = [&](unsigned byte) { result += static_cast<char>(byte); };
    for (const char letter : text) {
        const auto byte = static_cast<std::uint8_t>(letter);
        const unsigned code =
            byte >= 0x80 && byte < 0xA0 ? letters_from_0x80[byte - 0x80U] : unsigned{byte};
        if (code < 0x80) {
            append(code);
        }
        else if (code < 0x800) {
            append(0xC0 | code >> 6);
            append(0x80 | (code & 0x3F));
        }
        else {
            append(0xE0 | code >> 12);
            append(0x80 | (code >> 6 & 0x3F));
            append(0x80 | (code & 0x3F));
        }
    }
    return result;
}

}  // namespace core
