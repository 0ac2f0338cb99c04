#include "engine/search/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/search/parameters.hpp"

namespace engine {

namespace {

constexpr std::size_t size = 64;

/// The natural logarithm by its series, so that the compiler makes the tables and every
/// compiler makes the same: ln x = 2 (z + z^3/3 + z^5/5 + ...) with z = (x - 1) / (x + 1).
constexpr double logarithm(double x) {
    constexpr double ln2 = 0.693147180559945309417;
    double result = 0;
    while (x > 1.5) {
        x /= 2;
        result += ln2;
    }
    const double z = (x - 1) / (x + 1);
    double power = z;
    for (int i = 1; i < 40; i += 2) {
        result += 2 * power / i;
        power *= z * z;
    }
    return result;
}

using Table = std::array<std::array<std::uint8_t, size>, size>;

constexpr Table make_table(double base, double divisor) {
    std::array<double, size> logarithms{};
    for (std::size_t i = 1; i < size; ++i)
        logarithms[i] = logarithm(static_cast<double>(i));
    Table table{};
    for (std::size_t depth = 1; depth < size; ++depth) {
        for (std::size_t number = 1; number < size; ++number)
            table[depth][number] = static_cast<std::uint8_t>(
                std::max(0.0, base + logarithms[depth] * logarithms[number] / divisor));
    }
    return table;
}

constexpr Table quiet_table = make_table(parameters::reduction_base, parameters::reduction_divisor);
constexpr Table noisy_table =
    make_table(parameters::noisy_reduction_base, parameters::noisy_reduction_divisor);

int look_up(const Table& table, int depth, int move_number) {
    const auto index = [](int value) {
        return static_cast<std::size_t>(std::clamp(value, 0, static_cast<int>(size) - 1));
    };
    return table[index(depth)][index(move_number)];
}

}  // namespace

int quiet_reduction(int depth, int move_number) {
    return look_up(quiet_table, depth, move_number);
}

int noisy_reduction(int depth, int move_number) {
    return look_up(noisy_table, depth, move_number);
}

}  // namespace engine
