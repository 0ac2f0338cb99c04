#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Handles one input. libFuzzer calls it with generated inputs, replay.cpp with those in corpus/.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tests {

/// Ends the program, which the fuzzer reports as a crash, if a property does not hold.
inline void require(bool holds, std::string_view property) {
    if (holds)
        return;
    static_cast<void>(std::fprintf(stderr, "does not hold: %.*s\n",
                                   static_cast<int>(property.size()), property.data()));
    std::abort();
}

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

}  // namespace tests
