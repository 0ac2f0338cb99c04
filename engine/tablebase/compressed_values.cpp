#include "engine/tablebase/compressed_values.hpp"

#include <cassert>
#include <cstring>

namespace engine::tablebase {

namespace {

constexpr std::uint8_t single_value_flag = 0x80;
constexpr int max_code_length = 32;
constexpr int max_block_bits = 31;
constexpr int max_span_bits = 31;
constexpr std::size_t max_symbols = 4095;
constexpr std::uint16_t no_right_symbol = 0xFFF;
constexpr int max_values_of_symbol = 256;
constexpr std::uint64_t sparse_index_entry_size = 6;
constexpr std::uint64_t block_alignment = 64;

/// The bytes that next_code() may read behind a block. The checksum at the end of a file is longer.
[[maybe_unused]] constexpr std::uint64_t read_ahead = 8;  // only in assertions

std::uint64_t big_endian_64(const std::uint8_t* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value = value << 8 | bytes[i];
    return value;
}

std::uint32_t little_endian(std::span<const std::uint8_t> file, std::uint64_t offset, int size) {
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i)
        value |= std::uint32_t{file[offset + static_cast<std::uint64_t>(i)]} << (8 * i);
    return value;
}

}  // namespace

std::optional<CompressedValues> CompressedValues::read_header(core::ByteReader& reader,
                                                              std::uint64_t size) {
    assert(reader.offset() % 2 == 0 && size > 0);
    CompressedValues values;
    values.size_ = size;
    values.flags_ = reader.u8();
    if ((values.flags_ & single_value_flag) != 0) {
        values.is_single_value_ = true;
        values.single_value_ = reader.u8();
        return values;
    }
    values.block_bits_ = reader.u8();
    values.span_bits_ = reader.u8();
    const std::uint64_t padding = reader.u8();
    values.block_count_ = reader.u32();
    values.block_length_count_ = values.block_count_ + padding;
    if (values.block_bits_ > max_block_bits || values.span_bits_ < 1
        || values.span_bits_ > max_span_bits || values.block_count_ == 0)
        return std::nullopt;
    if (!values.read_code(reader) || !values.read_symbols(reader) || !values.measure_symbols())
        return std::nullopt;
    return values;
}

/// Reads a canonical Huffman code, which the first symbol of each length defines.
bool CompressedValues::read_code(core::ByteReader& reader) {
    const int max_length = reader.u8();
    min_code_length_ = reader.u8();
    if (min_code_length_ < 1 || max_length > max_code_length || max_length < min_code_length_)
        return false;
    const int length_count = max_length - min_code_length_ + 1;
    const auto lengths = static_cast<std::size_t>(length_count);
    first_symbols_.resize(lengths);
    first_codes_.resize(lengths);
    for (auto& symbol : first_symbols_)
        symbol = reader.u16();
    std::int64_t code = 0;
    first_codes_[lengths - 1] = 0;
    for (std::size_t i = lengths - 1; i-- > 0;) {
        const int length = min_code_length_ + static_cast<int>(i);
        code = (code + first_symbols_[i] - first_symbols_[i + 1]) / 2;
        if (code < 0 || code >= std::int64_t{1} << length)
            return false;
        first_codes_[i] = static_cast<std::uint64_t>(code) << (64 - length);
        if (first_codes_[i] < first_codes_[i + 1])
            return false;
    }
    return true;
}

bool CompressedValues::read_symbols(core::ByteReader& reader) {
    const std::size_t count = reader.u16();
    if (count == 0 || count > max_symbols)
        return false;
    symbols_.resize(count);
    for (Symbol& symbol : symbols_) {
        const unsigned low = reader.u8();
        const unsigned middle = reader.u8();
        const unsigned high = reader.u8();
        symbol.left = static_cast<std::uint16_t>(low | (middle & 15) << 8);
        symbol.right = static_cast<std::uint16_t>(middle >> 4 | high << 4);
    }
    reader.skip(count & 1);
    return reader.is_inside();
}

/// Counts the values of every symbol. False if a symbol contains itself or has too many.
bool CompressedValues::measure_symbols() {
    values_less_one_.assign(symbols_.size(), 0);
    std::vector<bool> is_measured(symbols_.size());
    // A symbol may refer to higher numbers, so its parts are measured first, with a stack instead
    // of recursion. A part has fewer values than the whole, which bounds the nesting.
    for (std::size_t first = 0; first < symbols_.size(); ++first) {
        std::vector<std::size_t> stack{first};
        while (!stack.empty()) {
            const std::size_t number = stack.back();
            const auto [left, right] = symbols_[number];
            if (is_measured[number] || right == no_right_symbol) {
                is_measured[number] = true;
                stack.pop_back();
                continue;
            }
            if (left >= symbols_.size() || right >= symbols_.size()
                || stack.size() > max_values_of_symbol)
                return false;
            if (!is_measured[left] || !is_measured[right]) {
                stack.push_back(is_measured[left] ? right : left);
                continue;
            }
            const int values = values_less_one_[left] + values_less_one_[right] + 2;
            if (values > max_values_of_symbol)
                return false;
            values_less_one_[number] = static_cast<std::uint8_t>(values - 1);
            is_measured[number] = true;
            stack.pop_back();
        }
    }
    return true;
}

void CompressedValues::read_sparse_index(core::ByteReader& reader) {
    if (is_single_value_)
        return;
    sparse_index_ = reader.offset();
    const std::uint64_t span = std::uint64_t{1} << span_bits_;
    reader.skip((size_ + span - 1) / span * sparse_index_entry_size);
}

void CompressedValues::read_block_lengths(core::ByteReader& reader) {
    if (is_single_value_)
        return;
    block_lengths_ = reader.offset();
    reader.skip(block_length_count_ * 2);
}

void CompressedValues::read_blocks(core::ByteReader& reader) {
    if (is_single_value_)
        return;
    reader.align(block_alignment);
    blocks_ = reader.offset();
    reader.skip(block_count_ << block_bits_);
}

std::optional<int> CompressedValues::at(std::span<const std::uint8_t> file,
                                        std::uint64_t index) const {
    assert(index < size_);
    if (is_single_value_)
        return single_value_;
    const auto place = find_block(file, index);
    if (!place)
        return std::nullopt;
    return value_in_block(file, *place);
}

std::uint64_t CompressedValues::block_length(std::span<const std::uint8_t> file,
                                             std::uint64_t block) const {
    return std::uint64_t{little_endian(file, block_lengths_ + 2 * block, 2)} + 1;
}

/// Finds the block with a value. The sparse index has the place of the middle value of each span;
/// adding up block lengths from there leads to the block.
std::optional<CompressedValues::BlockPosition> CompressedValues::find_block(
    std::span<const std::uint8_t> file,
    std::uint64_t index) const {
    const std::uint64_t entry = sparse_index_ + (index >> span_bits_) * sparse_index_entry_size;
    std::uint64_t block = little_endian(file, entry, 4);
    const std::int64_t span = std::int64_t{1} << span_bits_;
    std::int64_t value = static_cast<std::int64_t>(index & static_cast<std::uint64_t>(span - 1))
                       - span / 2 + static_cast<std::int64_t>(little_endian(file, entry + 4, 2));
    if (block >= block_length_count_)
        return std::nullopt;
    while (value < 0) {
        if (block == 0)
            return std::nullopt;
        --block;
        value += static_cast<std::int64_t>(block_length(file, block));
    }
    for (;;) {
        const auto length = static_cast<std::int64_t>(block_length(file, block));
        if (value < length)
            break;
        value -= length;
        if (++block >= block_length_count_)
            return std::nullopt;
    }
    if (block >= block_count_)
        return std::nullopt;
    return BlockPosition{block, static_cast<std::uint32_t>(value)};
}

/// The code word at the top of the window, which has at least 32 bits.
CompressedValues::Code CompressedValues::next_code(std::uint64_t window) const {
    std::size_t i = 0;
    while (window < first_codes_[i])  // the last one is 0
        ++i;
    const int length = min_code_length_ + static_cast<int>(i);
    const auto offset = static_cast<std::uint32_t>((window - first_codes_[i]) >> (64 - length));
    return {first_symbols_[i] + offset, length};
}

std::optional<int> CompressedValues::value_in_block(std::span<const std::uint8_t> file,
                                                    BlockPosition place) const {
    const std::uint64_t begin = blocks_ + (place.block << block_bits_);
    const std::uint64_t bits = std::uint64_t{8} << block_bits_;
    assert(begin + bits / 8 + read_ahead <= file.size());
    for (std::uint64_t at = 0; at < bits;) {
        const std::uint64_t window = big_endian_64(file.data() + begin + at / 8) << (at % 8);
        const auto [symbol, length] = next_code(window);
        if (symbol >= symbols_.size())
            return std::nullopt;
        if (place.value <= values_less_one_[symbol])
            return value_in_symbol(symbol, place.value);
        place.value -= std::uint32_t{values_less_one_[symbol]} + 1;
        at += static_cast<std::uint64_t>(length);
    }
    return std::nullopt;
}

int CompressedValues::value_in_symbol(std::size_t symbol, std::uint32_t value) const {
    while (values_less_one_[symbol] != 0) {
        const auto [left, right] = symbols_[symbol];
        if (value <= values_less_one_[left]) {
            symbol = left;
        }
        else {
            value -= std::uint32_t{values_less_one_[left]} + 1;
            symbol = right;
        }
    }
    return symbols_[symbol].left;
}

}  // namespace engine::tablebase
