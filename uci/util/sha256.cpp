#include "uci/util/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <string>

namespace uci::util {

namespace {

// Names as in FIPS 180-4, section 6.2.
using State = std::array<std::uint32_t, 8>;
constexpr std::size_t rounds = 64;
constexpr std::size_t block_size = 64;

constexpr bool is_prime(unsigned number) {
    for (unsigned divisor = 2; divisor * divisor <= number; ++divisor) {
        if (number % divisor == 0)
            return false;
    }
    return true;
}

/// The first 32 bits of the fraction of the square or cube root of a number.
constexpr std::uint32_t root_fraction(unsigned number, int degree) {
    double root = number;
    for (int step = 0; step < 100; ++step)  // Newton's method
        root = degree == 2 ? (root + number / root) / 2 : (2 * root + number / (root * root)) / 3;
    const double fraction = root - static_cast<double>(static_cast<unsigned>(root));
    return static_cast<std::uint32_t>(fraction * 4'294'967'296.0);
}

/// The constants: fractions of the roots of the first primes.
template <std::size_t size>
constexpr std::array<std::uint32_t, size> prime_root_fractions(int degree) {
    std::array<std::uint32_t, size> fractions{};
    unsigned prime = 2;
    for (auto& fraction : fractions) {
        while (!is_prime(prime))
            ++prime;
        fraction = root_fraction(prime++, degree);
    }
    return fractions;
}

constexpr auto initial_state = prime_root_fractions<8>(2);
constexpr auto round_constants = prime_root_fractions<rounds>(3);
static_assert(initial_state[0] == 0x6A09E667 && round_constants[63] == 0xC67178F2);

std::array<std::uint32_t, rounds> message_schedule(std::string_view block) {
    std::array<std::uint32_t, rounds> words{};
    for (std::size_t i = 0; i < block_size; ++i)
        words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(block[i]);
    for (std::size_t t = 16; t < rounds; ++t) {
        const auto s0 =
            std::rotr(words[t - 15], 7) ^ std::rotr(words[t - 15], 18) ^ words[t - 15] >> 3;
        const auto s1 =
            std::rotr(words[t - 2], 17) ^ std::rotr(words[t - 2], 19) ^ words[t - 2] >> 10;
        words[t] = words[t - 16] + s0 + words[t - 7] + s1;
    }
    return words;
}

void add_block(State& state, std::string_view block) {
    const auto words = message_schedule(block);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t t = 0; t < rounds; ++t) {
        const auto sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const auto choice = (e & f) ^ (~e & g);
        const auto first = h + sum1 + choice + round_constants[t] + words[t];
        const auto sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const auto majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + sum0 + majority;
    }
    const State added{a, b, c, d, e, f, g, h};
    std::transform(state.begin(), state.end(), added.begin(), state.begin(), std::plus{});
}

/// The text, a one bit, zeros, and the number of its bits: whole blocks.
std::string padded(std::string_view text) {
    std::string bytes{text};
    bytes += '\x80';
    while (bytes.size() % block_size != block_size - 8)
        bytes += '\0';
    const std::uint64_t bits = std::uint64_t{text.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(bits >> shift & 0xFF);
    return bytes;
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view text) {
    const auto bytes = padded(text);
    State state = initial_state;
    for (std::size_t begin = 0; begin < bytes.size(); begin += block_size)
        add_block(state, std::string_view{bytes}.substr(begin, block_size));
    std::array<std::uint8_t, 32> digest{};
    for (std::size_t i = 0; i < digest.size(); ++i)
        digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

}  // namespace uci::util
