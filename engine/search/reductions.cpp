#include "engine/search/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/search/parameters.hpp"

namespace engine {

namespace {

constexpr std::size_t size = 64;

/// The natural logarithm by its series, so that the compiler makes the table and every
/// compiler makes the same one: ln x = 2 (z + z^3/3 + z^5/5 + ...) with z = (x - 1) / (x + 1).
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

constexpr auto logarithms = [] {
    std::array<double, size> table{};
    for (std::size_t i = 1; i < size; ++i)
        table[i] = logarithm(static_cast<double>(i));
    return table;
}();

/// Base and divisor are in hundredths.
constexpr int reduction(int base, int divisor, std::size_t depth, std::size_t move_number) {
    if (depth < 1 || move_number < 1)
        return 0;
    return std::max(
        0, static_cast<int>(
               ply_parts
               * (base / 100.0 + logarithms[depth] * logarithms[move_number] * 100.0 / divisor)));
}

std::size_t place(int value) {
    return static_cast<std::size_t>(std::clamp(value, 0, static_cast<int>(size) - 1));
}

#if defined(PARLEY_TUNE)

/// Computed each time: the numbers may change.
struct Reductions {
    int& base;
    int& divisor;

    int at(int depth, int move_number) const {
        return reduction(base, divisor, place(depth), place(move_number));
    }
};

#else

/// Computed by the compiler.
class Reductions {
public:
    constexpr Reductions(int base, int divisor) : parts_{} {
        for (std::size_t depth = 0; depth < size; ++depth) {
            for (std::size_t number = 0; number < size; ++number)
                parts_[depth][number] =
                    static_cast<std::int16_t>(reduction(base, divisor, depth, number));
        }
    }
    int at(int depth, int move_number) const { return parts_[place(depth)][place(move_number)]; }

private:
    std::array<std::array<std::int16_t, size>, size> parts_;
};

#endif

constexpr Reductions of_quiet{parameters::reduction_base, parameters::reduction_divisor};
constexpr Reductions of_noisy{parameters::noisy_reduction_base,
                              parameters::noisy_reduction_divisor};

}  // namespace

int quiet_reduction(int depth, int move_number) {
    return of_quiet.at(depth, move_number);
}

int noisy_reduction(int depth, int move_number) {
    return of_noisy.at(depth, move_number);
}

}  // namespace engine
