#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "engine/evaluate/nnue/architecture.hpp"

namespace engine::nnue {

/// The alignment, in bytes, that simd.hpp requires of every array.
inline constexpr std::size_t value_alignment = 64;

struct AlignedDelete {
    void operator()(Value* values) const {
        ::operator delete[](values, std::align_val_t{value_alignment});
    }
};

/// An array for the kernels, aligned and uninitialised.
// NOLINTNEXTLINE(modernize-avoid-c-arrays): how unique_ptr names an array
using AlignedValues = std::unique_ptr<Value[], AlignedDelete>;

inline AlignedValues aligned_values(std::size_t count) {
    return AlignedValues{static_cast<Value*>(
        ::operator new[](count * sizeof(Value), std::align_val_t{value_alignment}))};
}

}  // namespace engine::nnue
