#pragma once

#include <array>
#include <cstddef>

#include "engine/evaluate/nnue/architecture.hpp"
#include "engine/evaluate/nnue/simd.hpp"

namespace engine::nnue {

/// A few rows of the network: those of one view of a board, at the most.
class RowList {
public:
    void add(const Value* row) { rows_[count_++] = row; }
    Rows rows() const { return {rows_.data(), count_}; }

private:
    static constexpr std::size_t most = 64;

    std::array<const Value*, most> rows_;
    std::size_t count_ = 0;
};

}  // namespace engine::nnue
