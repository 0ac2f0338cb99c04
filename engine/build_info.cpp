#include "engine/build_info.hpp"

#include <algorithm>

#include "engine/evaluate/nnue/simd.hpp"

namespace engine {

std::string_view version() {
    return PARLEY_VERSION;
}

std::string_view commit() {
    return PARLEY_COMMIT;
}

std::string compiler() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#elif defined(_MSC_VER)
    return "MSVC " + std::to_string(_MSC_FULL_VER);
#else
    return "an unknown compiler";
#endif
}

std::string target() {
    std::string text;
#if defined(__x86_64__) || defined(_M_X64)
    text = "x86-64";
#elif defined(__aarch64__) || defined(_M_ARM64)
    text = "ARM64";
#elif defined(__wasm__)
    text = "WebAssembly";
#else
    text = "another processor";
#endif
#if defined(_WIN32)
    text += " Windows";
#elif defined(__APPLE__)
    text += " macOS";
#elif defined(__linux__)
    text += " Linux";
#endif
    return text;
}

SimdPaths simd_paths() {
    SimdPaths paths;
    paths.used = nnue::best_kernels().name;
    const auto runnable = nnue::runnable_kernels();
    for (std::size_t i = 0; i < runnable.count; ++i)
        paths.runnable.emplace_back(runnable.kernels[i]->name);
    const auto built = nnue::built_kernels();
    for (std::size_t i = 0; i < built.count; ++i) {
        const std::string_view name = built.kernels[i]->name;
        if (std::find(paths.runnable.begin(), paths.runnable.end(), name) == paths.runnable.end())
            paths.others.push_back(name);
    }
    return paths;
}

}  // namespace engine
