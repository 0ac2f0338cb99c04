#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/byte_reader.hpp"

namespace engine::tablebase {

/// The values of one sub-table for one side to move, compressed with recursive pairing and a
/// canonical Huffman code. It knows where they are in the file, which it is lent for each access.
class CompressedValues {
public:
    /// Reads the header. `size` is the number of values. Nothing if the header contradicts itself.
    static std::optional<CompressedValues> read_header(core::ByteReader& reader,
                                                       std::uint64_t size);

    // The rest of the file has three sections for each CompressedValues. They must be read in
    // order; single values have none.
    void read_sparse_index(core::ByteReader& reader);
    void read_block_lengths(core::ByteReader& reader);
    void read_blocks(core::ByteReader& reader);

    /// The value number `index`, which must be less than the size. Nothing if the file is corrupt.
    std::optional<int> at(std::span<const std::uint8_t> file, std::uint64_t index) const;
    std::uint8_t flags() const { return flags_; }
    /// Whether all values are equal.
    bool is_single_value() const { return is_single_value_; }

private:
    /// A symbol stands for one value, or for the values of two other symbols.
    struct Symbol {
        std::uint16_t left = 0;  ///< or the value
        std::uint16_t right = 0;
    };
    /// A position in the blocks: a value counted from the first one of a block.
    struct BlockPosition {
        std::uint64_t block = 0;
        std::uint32_t value = 0;
    };
    /// A code word and what it stands for.
    struct Code {
        std::uint32_t symbol = 0;
        int length = 0;
    };

    bool read_code(core::ByteReader& reader);
    bool read_symbols(core::ByteReader& reader);
    bool measure_symbols();
    std::uint64_t block_length(std::span<const std::uint8_t> file, std::uint64_t block) const;
    std::optional<BlockPosition> find_block(std::span<const std::uint8_t> file,
                                            std::uint64_t index) const;
    std::optional<int> value_in_block(std::span<const std::uint8_t> file,
                                      BlockPosition place) const;
    Code next_code(std::uint64_t window) const;
    int value_in_symbol(std::size_t symbol, std::uint32_t value) const;

    std::uint8_t flags_ = 0;
    bool is_single_value_ = false;
    int single_value_ = 0;
    std::uint64_t size_ = 0;
    int block_bits_ = 0;  ///< a block has 2^block_bits_ bytes
    int span_bits_ = 0;   ///< 2^span_bits_ values belong to an entry of the sparse index
    std::uint64_t block_count_ = 0;
    std::uint64_t block_length_count_ = 0;  ///< there may be more of them than blocks
    int min_code_length_ = 0;

    // By the length of a code, from the shortest: the first symbol, and the first code word at the
    // top of 64 bits. Longer codes are smaller words.
    std::vector<std::uint16_t> first_symbols_;
    std::vector<std::uint64_t> first_codes_;
    std::vector<Symbol> symbols_;
    std::vector<std::uint8_t> values_less_one_;  ///< of each symbol: the number of its values

    std::uint64_t sparse_index_ = 0;  ///< offsets in the file
    std::uint64_t block_lengths_ = 0;
    std::uint64_t blocks_ = 0;
};

}  // namespace engine::tablebase
