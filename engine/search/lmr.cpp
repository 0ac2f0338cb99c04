#include "engine/search/lmr.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/search/parameters.hpp"

namespace engine::search {

namespace {

constexpr std::size_t size = 64;

/// The natural logarithm as a series, because std::log is not constexpr and may differ between
/// compilers: ln x = 2 (z + z^3/3 + z^5/5 + ...) with z = (x - 1) / (x + 1).
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

/// base + ln(depth) * ln(move count) / divisor, with base and divisor in hundredths.
constexpr int reduction(int base, int divisor, std::size_t depth, std::size_t move_count) {
    if (depth < 1 || move_count < 1)
        return 0;
    return std::max(
        0, static_cast<int>(
               lmr_unit
               * (base / 100.0 + logarithms[depth] * logarithms[move_count] * 100.0 / divisor)));
}

/// Values beyond the table count as its last one.
std::size_t index(int value) {
    return static_cast<std::size_t>(std::clamp(value, 0, static_cast<int>(size) - 1));
}

#if defined(PARLEY_TUNE)

/// Computed each time, because the parameters may change.
struct Reductions {
    int& base;
    int& divisor;

    int at(int depth, int move_count) const {
        return reduction(base, divisor, index(depth), index(move_count));
    }
};

#else

/// A table computed by the compiler.
class Reductions {
public:
    constexpr Reductions(int base, int divisor) : table_{} {
        for (std::size_t depth = 0; depth < size; ++depth) {
            for (std::size_t count = 0; count < size; ++count)
                table_[depth][count] =
                    static_cast<std::int16_t>(reduction(base, divisor, depth, count));
        }
    }
    int at(int depth, int move_count) const { return table_[index(depth)][index(move_count)]; }

private:
    std::array<std::array<std::int16_t, size>, size> table_;
};

#endif

constexpr Reductions quiet_table{parameters::lmr_base, parameters::lmr_divisor};
constexpr Reductions noisy_table{parameters::lmr_noisy_base, parameters::lmr_noisy_divisor};

}  // namespace

int quiet_reduction(int depth, int move_count) {
    return quiet_table.at(depth, move_count);
}

int noisy_reduction(int depth, int move_count) {
    return noisy_table.at(depth, move_count);
}

}  // namespace engine::search
