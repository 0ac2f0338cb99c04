#pragma once

#include <vector>

// A search parameter that SPSA can tune:
//
//   PARLEY_TUNABLE(name, default_value, min, max, step);
//
// is a constant, an int. In a build with PARLEY_TUNE it is an option of that name, so that
// tools/match/spsa can try values; the step is the first distance between the values it compares.
namespace engine {

/// A parameter in a build with PARLEY_TUNE.
struct Tunable {
    const char* name;
    int* value;
    int default_value;
    int min;
    int max;
};

/// All parameters; none in a build without PARLEY_TUNE.
inline std::vector<Tunable>& tunables() {
    static std::vector<Tunable> all;
    return all;
}

/// Adds a parameter to tunables().
struct RegisteredTunable {
    explicit RegisteredTunable(const Tunable& tunable) { tunables().push_back(tunable); }
};

}  // namespace engine

#define PARLEY_CHECKED_TUNABLE(default_value, min, max, step) \
    static_assert((min) <= (default_value) && (default_value) <= (max) && (step) > 0)

#if defined(PARLEY_TUNE)
#define PARLEY_TUNABLE(name, default_value, min, max, step)      \
    inline int name = default_value;                             \
    inline const engine::RegisteredTunable name##_is_registered{ \
        {#name, &name, default_value, min, max}};                \
    PARLEY_CHECKED_TUNABLE(default_value, min, max, step)
#else
#define PARLEY_TUNABLE(name, default_value, min, max, step) \
    inline constexpr int name = default_value;              \
    PARLEY_CHECKED_TUNABLE(default_value, min, max, step)
#endif
