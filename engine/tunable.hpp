#pragma once

/// How a number is declared that games tell the best value of: a constant, but in a build with
/// PARLEY_TUNE a variable, so that the tools that look for it can change it.
#if defined(PARLEY_TUNE)
#define PARLEY_TUNABLE inline
#else
#define PARLEY_TUNABLE inline constexpr
#endif
