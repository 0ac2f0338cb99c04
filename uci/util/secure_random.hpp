#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace uci::util {

/// 128 unpredictable bits.
using Token128 = std::array<std::uint8_t, 16>;

/// Cryptographically secure random numbers from the operating system. Belongs to one thread.
class SecureRandom {
public:
    std::uint32_t number() { return device_(); }

    template <std::size_t size>
    std::array<std::uint8_t, size> bytes() {
        static_assert(size % sizeof(std::uint32_t) == 0);
        std::array<std::uint8_t, size> result{};
        for (std::size_t i = 0; i < size; i += sizeof(std::uint32_t)) {
            const auto value = number();
            for (std::size_t byte = 0; byte < sizeof(value); ++byte)
                result[i + byte] = static_cast<std::uint8_t>(value >> (8 * byte));
        }
        return result;
    }

    Token128 token() { return bytes<std::tuple_size_v<Token128>>(); }

private:
#if defined(_WIN32)
    std::random_device device_;
#else
    std::random_device device_{"/dev/urandom"};
#endif
};

}  // namespace uci::util
