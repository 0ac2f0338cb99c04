#include "uci/util/hex.hpp"

#include <optional>

#include "core/text.hpp"

namespace uci::util {

namespace {

constexpr std::string_view digits{"0123456789abcdef"};

std::optional<unsigned> value_of(char digit) {
    const auto value = digits.find(core::lowercase(digit));
    if (value == std::string_view::npos)
        return std::nullopt;
    return static_cast<unsigned>(value);
}

}  // namespace

std::string hex(std::span<const std::uint8_t> bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const unsigned byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

core::Result<std::vector<std::uint8_t>> read_hex(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const auto pair = text.substr(i, 2);
        const auto high = value_of(pair.front());
        const auto low = value_of(pair.back());
        if (!high || !low)
            return core::Error{core::quoted(pair) + " is not hexadecimal"};
        if (pair.size() == 1)
            return core::Error{"the last byte has only one hexadecimal digit"};
        bytes.push_back(static_cast<std::uint8_t>(*high << 4 | *low));
    }
    return bytes;
}

}  // namespace uci::util
