#include "uci/util/base64.hpp"

#include <algorithm>
#include <optional>

namespace uci::util {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view letters{
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"};
constexpr std::size_t letters_in_group = 4;
constexpr std::size_t bytes_in_group = 3;

const core::Error not_base64{"the text is not in base64"};

/// The 24 bits of up to three bytes; missing bytes count as 0.
std::uint32_t bits_of(std::span<const std::uint8_t> group) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < bytes_in_group; ++i)
        bits = bits << 8 | (i < group.size() ? group[i] : 0U);
    return bits;
}

/// Decodes up to four letters without their padding. Nothing: not canonical base64.
std::optional<Bytes> read_group(std::string_view group) {
    if (group.size() < 2)
        return std::nullopt;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < letters_in_group; ++i) {
        const auto value = i < group.size() ? letters.find(group[i]) : 0;
        if (value == std::string_view::npos)
            return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
    }
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < group.size(); ++i)
        bytes.push_back(static_cast<std::uint8_t>(bits >> (16 - 8 * i)));
    // Reject non-canonical texts: the unused low bits must be 0.
    if (bits != bits_of(bytes))
        return std::nullopt;
    return bytes;
}

}  // namespace

std::string unpadded_base64(std::span<const std::uint8_t> bytes) {
    std::string text;
    while (!bytes.empty()) {
        const auto group = bytes.first(std::min(bytes.size(), bytes_in_group));
        const auto bits = bits_of(group);
        for (std::size_t i = 0; i <= group.size(); ++i)
            text += letters[bits >> (18 - 6 * i) & 63];
        bytes = bytes.subspan(group.size());
    }
    return text;
}

std::string base64(std::span<const std::uint8_t> bytes) {
    std::string text = unpadded_base64(bytes);
    text.resize((text.size() + letters_in_group - 1) / letters_in_group * letters_in_group, '=');
    return text;
}

core::Result<Bytes> read_base64(std::string_view text) {
    if (text.size() % letters_in_group != 0)
        return not_base64;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding)
        text.remove_suffix(1);
    Bytes bytes;
    while (!text.empty()) {
        const auto group = read_group(text.substr(0, letters_in_group));
        if (!group)
            return not_base64;
        bytes.insert(bytes.end(), group->begin(), group->end());
        text.remove_prefix(std::min(text.size(), letters_in_group));
    }
    return bytes;
}

}  // namespace uci::util
