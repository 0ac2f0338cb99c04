#include "uci/util/hmac.hpp"

#include <cstddef>
#include <string>

#include "uci/util/sha256.hpp"

namespace uci::util {

namespace {

constexpr std::size_t block_size = 64;

std::string as_text(const std::array<std::uint8_t, 32>& digest) {
    return {digest.begin(), digest.end()};
}

/// The key, padded to a block, with each byte combined with `pad`.
std::string padded_key(std::string_view key, char pad) {
    std::string block = key.size() > block_size ? as_text(sha256(key)) : std::string{key};
    block.resize(block_size, '\0');
    for (char& byte : block)
        byte = static_cast<char>(byte ^ pad);
    return block;
}

}  // namespace

std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view message) {
    constexpr char inner_pad = 0x36;
    constexpr char outer_pad = 0x5C;
    const auto inner = sha256(padded_key(key, inner_pad).append(message));
    return sha256(padded_key(key, outer_pad).append(as_text(inner)));
}

bool equal_in_constant_time(std::string_view left, std::string_view right) {
    if (left.size() != right.size())
        return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
    return difference == 0;
}

}  // namespace uci::util
