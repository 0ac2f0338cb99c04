#pragma once

#include <cstdint>
#include <random>

#include "uci/chezz/identity.hpp"

namespace uci::net {

/// Chance that nobody can foresee: the operating system's. Belongs to one thread.
class Randomness {
public:
    std::uint32_t number() { return device_(); }
    chezz::Secret secret() {
        chezz::Secret secret{};
        for (std::size_t i = 0; i < secret.size(); i += sizeof(std::uint32_t)) {
            const auto value = number();
            for (std::size_t byte = 0; byte < sizeof(value); ++byte)
                secret[i + byte] = static_cast<std::uint8_t>(value >> (8 * byte));
        }
        return secret;
    }

private:
#if defined(_WIN32)
    std::random_device device_;
#else
    std::random_device device_{"/dev/urandom"};
#endif
};

}  // namespace uci::net
