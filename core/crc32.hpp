#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace core {

namespace detail {

inline constexpr auto crc32_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t remainder = i;
        for (int bit = 0; bit < 8; ++bit)
            remainder = (remainder & 1) != 0 ? remainder >> 1 ^ 0xEDB88320U : remainder >> 1;
        table[i] = remainder;
    }
    return table;
}();

}  // namespace detail

/// The CRC-32 of zlib and PNG (polynomial 0xEDB88320, reflected). To compute it in parts, pass the
/// checksum of the bytes before.
constexpr std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) {
    std::uint32_t crc = ~before;
    for (const char byte : bytes)
        crc = crc >> 8 ^ detail::crc32_table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
    return ~crc;
}

}  // namespace core
